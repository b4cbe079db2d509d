import { useEffect } from 'react';

/** On paper a page is light, whatever its theme on the screen. */
export function useLightOnPaper(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let theme: string | undefined;
    const begin = () => {
      theme = dataset.theme;
      dataset.theme = 'light';
    };
    const end = () => {
      if (theme !== undefined) dataset.theme = theme;
      theme = undefined;
    };
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      end();
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
}
