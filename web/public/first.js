// Runs before the first paint and before anything else loads. A file of its own because the page's
// Content-Security-Policy allows no inline script.
(() => {
  // Secrets leave the address (and the history) at once. The tokens of a sign-in link stand in the query
  // (app/signInLink.ts takes them from here), those of mailed links in the fragment, which no proxy sees
  // (features/signin/mailedLink.ts); links mailed by earlier versions have them in the path.
  const query = new URLSearchParams(location.search);
  let path = location.pathname;
  let hash = location.hash;
  const mailed = /^(\/welcome\/(reset|unlock|invite|closure)\/[^/]+)(?:\/([^/]+))?\/?$/.exec(path);
  const token = mailed && (mailed[3] || (hash.startsWith('#lb_') && hash.slice(1)));
  if (token) {
    path = mailed[1];
    hash = '';
    window.lightbarMailedLink = { kind: mailed[2], token };
  }
  // The key of a drivers' page (features/drive/alertSource.ts).
  if (path.startsWith('/drive/') && hash.startsWith('#key=')) {
    window.lightbarDriveKey = hash.slice(5);
    history.replaceState(history.state, '', path + location.search);
    hash = '';
  }
  // A newer link to the page that is open loads nothing by itself.
  addEventListener('hashchange', () => /^#(lb_|key=)/.test(location.hash) && location.reload());
  const linked = query.has('access_token') || query.has('refresh_token');
  if (linked) {
    window.lightbarLink = { access: query.get('access_token') || '', refresh: query.get('refresh_token') || '' };
    query.delete('access_token');
    query.delete('refresh_token');
  }
  if (token || linked) {
    const rest = query.toString();
    history.replaceState(history.state, '', path + (rest && `?${rest}`) + hash);
  }
  // A dark room must never flash white; session/theme.ts takes over once the app has loaded.
  let stored = null;
  try {
    stored = JSON.parse(localStorage.getItem('lightbar.preferences') || '{}').theme;
  } catch {
    // Storage is closed or its text is damaged: the system's choice stands.
  }
  const light = stored === 'light' || (stored !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches);
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
})();
