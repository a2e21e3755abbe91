// The reference is complete without this script. It adds the filter, the copy buttons and the addresses of older links.
const find = (selector, inside = document) => [...inside.querySelectorAll(selector)];

const menu = document.querySelector('#operations');
const field = document.querySelector('#filter');
const matches = document.querySelector('#matches');
const entries = find('li', menu).map((item) => ({
  item,
  link: item.querySelector('a'),
  words: `${item.dataset.words ?? ''} ${item.textContent}`.toLowerCase(),
}));
const areas = find('details', menu).map((area) => ({ area, wasOpen: area.open }));

const visibleLinks = () => [
  field,
  ...entries.filter(({ item }) => !item.hidden && item.closest('details').open).map(({ link }) => link),
];

function filter() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isOn = words.length > 0;
  for (const { item, words: text } of entries)
    item.hidden = isOn && !(item.dataset.words && words.every((word) => text.includes(word)));
  for (const { area, wasOpen } of areas) {
    const count = find('li:not([hidden])', area).length;
    area.hidden = count === 0;
    area.open = isOn ? count > 0 : wasOpen;
  }
  const count = entries.filter(({ item }) => !item.hidden).length;
  matches.textContent = isOn ? `${count} ${count === 1 ? 'operation' : 'operations'}` : '';
}

function moveFocus(event) {
  const links = visibleLinks();
  const at = links.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && at >= 0) {
    event.preventDefault();
    links[at + step]?.focus();
  } else if (event.key === 'Enter' && document.activeElement === field && field.value) links[1]?.click();
}

function offerCopy(box) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  const said = document.createElement('span');
  said.setAttribute('role', 'status');
  button.append(said);
  button.addEventListener('click', () => {
    const copied = navigator.clipboard.writeText(box.querySelector('code').textContent);
    void copied.then(() => {
      said.textContent = ': done';
      setTimeout(() => (said.textContent = ''), 2000);
    });
  });
  box.prepend(button);
}

/** `/docs#/Stacks/v3ListStacks` was the address of an operation; `/docs#v3ListStacks` is short for its page. */
function followOldLink() {
  const name = decodeURIComponent(location.hash.split('/').at(-1).replace('#', ''));
  if (!name || document.getElementById(name)) return;
  const entry = entries.find(({ link }) => link.hash === `#${name}`);
  if (entry) location.replace(entry.link.href);
}

document.querySelector('.filter').hidden = false;
field.addEventListener('input', filter);
menu.addEventListener('keydown', moveFocus);
menu.addEventListener('click', (event) => {
  if (event.target.closest('a') && menu.matches(':popover-open')) menu.hidePopover();
});
// Only pages that came over a secure connection, or from this machine, may write to the clipboard.
if (navigator.clipboard) for (const box of find('.copy')) offerCopy(box);
for (const code of find('.copy code'))
  code.textContent = code.textContent.replace('http://127.0.0.1:8080', location.origin);
addEventListener('hashchange', followOldLink);
followOldLink();
