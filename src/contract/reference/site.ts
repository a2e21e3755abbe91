import { errorBody } from '../error-body.ts';
import { schemaCollector } from '../openapi-schemas.ts';
import type { Route } from '../route.ts';
import { type Area, pageOf, type Site } from './layout.ts';
import { html, type Markup, prose } from './markup.ts';
import { type Collect, operationArticle } from './operation.ts';
import { memberTree, type Schema, typeOf } from './schema-tree.ts';

const titleOf = ({ path, tag }: Route): string => {
  const version = /^\/(v[23])\//.exec(path)?.[1];
  return version ? `${version} ${tag}` : tag;
};

const slugOf = (title: string): string => title.toLowerCase().replaceAll(/\W+/g, '-');

function areasOf(routes: readonly Route[]): Area[] {
  const titles = [...new Set(routes.map(titleOf))];
  // The current version first, then the older one, then what has none.
  const rank = (title: string) => ['v3 ', 'v2 '].findIndex((version) => title.startsWith(version)) >>> 0;
  return titles
    .toSorted((a, b) => rank(a) - rank(b))
    .map((title) => ({
      slug: slugOf(title),
      title,
      routes: routes.filter((route) => titleOf(route) === title),
    }));
}

const beginning = `export ALM_URL=http://127.0.0.1:8080
TOKEN=$(curl -s "$ALM_URL/v3/access_token" -d client_id=alm -d grant_type=password \\
  -d username=root --data-urlencode password@- < password.txt | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl "$ALM_URL/v3/alm/stack" -H "Authorization: Bearer $TOKEN"`;

const introduction = ({ areas }: Site): Markup => html`
<p>Everything that Almanac can do is a request here: the console and the command line <code>alm</code> use the same operations.
Requests and replies are JSON. <a href="/openapi.json">/openapi.json</a> is the same reference for programs, in OpenAPI 3.1.</p>
<h2>Sign in</h2>
<p>Most operations need an access token in the header <code>Authorization</code>. The commands of this reference read the address
of the server and the token from variables of the shell:</p>
<div class="copy"><pre><code>${beginning}</code></pre></div>
<h2>Errors</h2>
<p>Every error has the same body, <a href="/docs/schemas#Error">Error</a>: it says what is wrong and what to do. Each operation lists its own statuses.</p>
<h2>Areas</h2>
<ul class="areas">${areas.map(
  ({ slug, title, routes }) =>
    html`<li><a class="row" href="/docs/${slug}">${title}</a> <span class="fact">${routes.length} ${routes.length === 1 ? 'operation' : 'operations'}</span></li>`,
)}</ul>`;

const schemaArticle = ([name, schema]: [string, Schema]): Markup => html`
<article id="${name}" aria-labelledby="${name}-title"><h2 id="${name}-title"><a href="#${name}">${name}</a></h2>
${schema.description ? html`<p>${prose(schema.description)}</p>` : html``}<p>${typeOf(schema)}</p>${memberTree(schema)}</article>`;

/** Builds the pages of the API reference from the route tables; by the last part of their addresses, the first page is ''. */
export function referencePages(routes: readonly Route[], version: string): ReadonlyMap<string, () => string> {
  const site: Site = { version, areas: areasOf(routes) };
  const { collect: collectAny, schemas } = schemaCollector();
  // Inside another schema, a named one becomes a reference; by itself, it is shown with its members.
  const collect: Collect = (schema) => {
    const { $id: name, ...unnamed } = schema as Schema & { $id?: string };
    return { ...(collectAny(unnamed) as Schema), ...(name ? { name } : {}) };
  };
  const articles = (area: Area) => html`${area.routes.map((route) => operationArticle(route, collect))}`;
  const schemaPage = () => {
    collectAny({
      errorBody,
      routes: routes.map(({ params, query, headers, body, replies }) => ({
        params,
        query,
        headers,
        body,
        replies,
      })),
    });
    const named = Object.entries(schemas as Record<string, Schema>).toSorted(([a], [b]) =>
      a.localeCompare(b),
    );
    return html`${named.map(schemaArticle)}`;
  };
  const page = (slug: string, title: string, content: () => Markup) =>
    [slug, () => pageOf(site, { slug, title, content: content() })] as const;
  return new Map([
    page('', 'API reference', () => introduction(site)),
    ...site.areas.map((area) => page(area.slug, area.title, () => articles(area))),
    page('schemas', 'Schemas', schemaPage),
  ]);
}
