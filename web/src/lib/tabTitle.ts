/** Puts a flag before the page's title ("● Engine 4 on scene · Safety Cloud") until it is cleared or replaced. */
export interface TabTitle {
  /** The title without a flag. */
  base(title: string): void;
  /** Raises a flag, or lowers it with undefined. */
  flag(text: string | undefined): void;
}

export function createTabTitle(page: { title: string }): TabTitle {
  let base = page.title;
  let flag: string | undefined;
  const write = () => {
    page.title = flag ? `● ${flag} · ${base}` : base;
  };
  return {
    base(title) {
      base = title;
      write();
    },
    flag(text) {
      flag = text;
      write();
    },
  };
}
