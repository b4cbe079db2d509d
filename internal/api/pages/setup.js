const form = document.forms[0];

// The link's token stands in the fragment, which no server and no proxy gets to see. It goes into the form, and out of the
// address and the history.
const take = () => {
  const token = location.hash.slice(1);
  if (!token || !form) return;
  form.elements.token.value = token;
  history.replaceState(null, '', location.pathname);
};

// The browser knows all zones, and its own: nobody has to know how they are written.
const offerZones = typed => {
  const chosen = typed.value || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen]);
  const select = document.createElement('select');
  select.name = typed.name;
  select.append(...[...zones].map(zone => new Option(zone, zone, false, zone === chosen)));
  typed.replaceWith(select);
};

const say = alert => {
  form.querySelector('.alert')?.remove();
  if (alert) form.prepend(alert);
};

const sayUnanswered = () => {
  const alert = document.createElement('p');
  alert.className = 'alert';
  alert.setAttribute('role', 'alert');
  alert.textContent = 'The server did not answer. Please try again.';
  say(alert);
};

// A refusal comes as the page again, which never holds a password: its remarks move into this form, and what was typed stays.
const remark = said => {
  say(said.querySelector('.alert'));
  for (const field of form.querySelectorAll('label > input, label > select')) {
    field.parentElement.querySelector('em')?.remove();
    const sentence = said.elements[field.name].parentElement.querySelector('em');
    if (sentence) field.after(sentence);
  }
  form.querySelector('label:has(em) > input, label:has(em) > select')?.focus();
};

const send = async () => {
  const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  if (answer.redirected) return location.assign(answer.url);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const said = page.querySelector('main.card'); // a proxy's page has none, and what was typed stays
  if (!said) sayUnanswered();
  else if (said.querySelector('form')) remark(said.querySelector('form'));
  else document.querySelector('main').replaceWith(said);
};

take();
addEventListener('hashchange', take);
if (form) {
  offerZones(form.elements.timezone);
  form.addEventListener('submit', event => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    send()
      .catch(sayUnanswered)
      .finally(() => {
        button.disabled = false;
      });
  });
}
