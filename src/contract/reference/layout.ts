import type { Route } from '../route.ts';
import { html, type Markup } from './markup.ts';

/** The operations with one tag in one version of the interface; one page. */
export interface Area {
  /** Last part of the address. */
  slug: string;
  title: string;
  routes: readonly Route[];
}

export interface Site {
  version: string;
  areas: readonly Area[];
}

const operationLink = ({ slug }: Area, { name, method, path, summary }: Route): Markup =>
  html`<li data-words="${method} ${path} ${name}"><a href="/docs/${slug}#${name}"><b class="method ${method}">${method}</b> <span>${summary}</span></a></li>`;

const areaMenu = (area: Area, slug: string): Markup =>
  html`<details${area.slug === slug ? html` open` : html``}><summary>${area.title}</summary><ul><li><a href="/docs/${area.slug}"${
    area.slug === slug ? html` aria-current="page"` : html``
  }><span>All of ${area.title}</span></a></li>${area.routes.map((route) => operationLink(area, route))}</ul></details>`;

const menu = ({ areas }: Site, slug: string): Markup => html`
<nav id="operations" class="operations" aria-label="Operations" popover>
<div class="filter" hidden><label for="filter">Filter operations</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false" aria-describedby="matches"><p id="matches" role="status"></p></div>
${areas.map((area) => areaMenu(area, slug))}
<p><a class="row" href="/docs/schemas">Schemas</a></p>
</nav>`;

const logo = html`<svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10.5" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M12 1.5a10.5 10.5 0 0 1 0 21a13.5 13.5 0 0 0 0-21z" fill="currentColor"/></svg>`;

interface Page {
  slug: string;
  title: string;
  content: Markup;
}

/** A whole page: bar, menu of all operations, content. */
export const pageOf = (site: Site, { slug, title, content }: Page): string =>
  html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${title} · Almanac API</title>
<link rel="stylesheet" href="/docs/static/reference.css">
<link rel="icon" type="image/svg+xml" href="/docs/static/almanac.svg">
<script type="module" src="/docs/static/reference.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="logo" href="/docs">${logo}<span>Almanac API</span></a><span class="version">${site.version}</span>
<button type="button" class="menu" popovertarget="operations">Operations</button>
<a class="row" href="/console/">Console</a><a class="row" href="/openapi.json">OpenAPI</a>
</header>
<div class="columns">${menu(site, slug)}
<main id="content" tabindex="-1">
<h1>${title}</h1>
${content}
</main></div>
</body>
</html>
`.text;
