// The link's token stands in the fragment, which no server and no proxy gets to see. It goes into the form, and out of the
// address and the history.
const take = () => {
  const token = location.hash.slice(1);
  if (!token) return;
  document.forms[0].elements.token.value = token;
  history.replaceState(null, '', location.pathname);
};
take();
addEventListener('hashchange', take);
