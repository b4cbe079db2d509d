// @vitest-environment jsdom

import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { replayed } from '~/api/recorded';
import { brand, brandOf } from '~/session/brand';
import { createAppRouter } from './router';
import { type PublicPage, publicPage } from './welcome.fakes';

describe('the links of a fresh installation', () => {
  const fresh = brandOf({});

  // spec: D.brand.02
  it.each([
    [fresh.licenseUrl, 'End User License Agreement'],
    [fresh.termsUrl, 'Terms'],
    [fresh.helpUrl, 'Help'],
  ])('%s opens without a session', async (address, title) => {
    vi.stubGlobal('scrollTo', () => undefined);
    const host = document.body.appendChild(document.createElement('div'));
    const root = createRoot(host);
    const history = createMemoryHistory({ initialEntries: [address] });
    root.render(<RouterProvider router={createAppRouter(history)} />);
    await vi.waitFor(() => expect(host.querySelector('h1')?.textContent).toBe(title));
    root.unmount();
    host.remove();
    vi.unstubAllGlobals();
  });
});

describe('a public screen', () => {
  let page: PublicPage;
  afterEach(() => {
    page.close();
    brand.set(brandOf({}));
  });

  // spec: D.brand.01 D.brand.02
  it('has the name and the links that the operator has set', async () => {
    page = publicPage();
    brand.set(
      brandOf({
        name: 'County Map',
        license_url: 'https://county.example/license',
        terms_url: 'https://county.example/terms',
        copyright_owner: 'County',
      }),
    );
    await page.visit('/welcome/forgot');
    const footer = page.find('footer');
    expect([...footer.querySelectorAll('a')].map(link => link.getAttribute('href'))).toEqual([
      'https://county.example/license',
      'https://county.example/terms',
    ]);
    expect(footer.textContent).toMatch(/© \d{4} County$/);
    expect(page.host.textContent).toContain('County Map');
  });

  // spec: 4.req.01
  it('says that its request is pending, has failed, has succeeded', async () => {
    page = publicPage();
    const answers: ((answer: Response) => void)[] = [];
    page.answer('/forgot_password', () => new Promise(resolve => answers.push(resolve)));
    await page.visit('/welcome/forgot');
    page.type('Email', 'dana@fire.example');
    page.submit();
    await vi.waitFor(() => expect(page.status()).toBe('Pending...'));
    answers[0]?.(replayed('forgotPassword.user_not_known'));
    await vi.waitFor(() => expect(page.alert()).toBe("There's no user with such email."));
    expect(page.status()).toBe('');
    page.submit();
    await vi.waitFor(() => expect(page.status()).toBe('Pending...'));
    expect(page.host.querySelector('[role=alert]')).toBeNull();
    answers[1]?.(replayed('forgotPassword.ok'));
    await vi.waitFor(() => expect(page.status()).toBe('Success! Check your inbox'));
  });
});
