import type { TSchema } from 'typebox';
import { accessOf } from '../access-words.ts';
import type { DeclaredReply, Route } from '../route.ts';
import { failureStatuses, failuresOf } from '../statuses.ts';
import { html, type Markup, nothing, prose } from './markup.ts';
import { curlOf } from './sample.ts';
import { type Member, memberList, memberTree, type Schema, typeOf } from './schema-tree.ts';

/** Replaces named schemas by references, and collects them. */
export type Collect = (schema: TSchema) => Schema;

const membersIn = (place: string, schema: Schema | undefined): Member[] =>
  Object.entries(schema?.properties ?? {}).map(([name, each]) => ({
    name,
    schema: each,
    required: schema?.required?.includes(name) ?? false,
    place,
  }));

const parametersOf = (route: Route, collect: Collect): Member[] =>
  (['params', 'query', 'headers'] as const).flatMap((part) =>
    membersIn(
      { params: 'path', query: 'query', headers: 'header' }[part],
      route[part] && collect(route[part]),
    ),
  );

const section = (title: string, content: Markup): Markup =>
  content === nothing ? nothing : html`<h3>${title}</h3>${content}`;

const bodyNotes: Readonly<Record<Route['bodyKind'], string>> = {
  none: '',
  fields: 'JSON or form-encoded',
  document: 'the template, as JSON or YAML',
};

function bodyOf({ body, bodyKind }: Route, collect: Collect): Markup {
  if (bodyKind === 'none') return nothing;
  const schema = body ? collect(body) : {};
  return html`<p>${typeOf(schema)}: ${bodyNotes[bodyKind]}.</p>${memberTree(schema)}`;
}

const block = (text: string): Markup => html`<pre><code>${text}</code></pre>`;

const pretty = (value: unknown): Markup =>
  value === undefined
    ? nothing
    : html`<details><summary>Example</summary>${block(JSON.stringify(value, null, 2))}</details>`;

function contentOf({ schema, contentType }: DeclaredReply, collect: Collect): Markup {
  if (!schema) return contentType ? html`<p>${[contentType].flat().join(' or ')}</p>` : nothing;
  const collected = collect(schema);
  const members = memberTree(collected);
  return members === nothing
    ? html`<p>${typeOf(collected)}</p>`
    : html`<p>${typeOf(collected)}</p><details><summary>Members of the reply</summary>${members}</details>`;
}

const successesOf = (route: Route, collect: Collect): Markup[] =>
  Object.entries(route.replies)
    .filter(([status]) => Number(status) < 400)
    .map(
      ([status, reply]) =>
        html`<p><b class="status">${status}</b> ${prose(reply.description)}</p>${contentOf(reply, collect)}`,
    );

const failures = (route: Route): Markup => {
  const statuses = failuresOf(route);
  return html`<details><summary>Errors: ${statuses.join(', ')}</summary><ul class="errors">${statuses.map(
    (status) =>
      html`<li><b class="status">${status}</b> ${prose(route.replies[status]?.description ?? failureStatuses[status].description)}</li>`,
  )}</ul><p>The body is <a href="/docs/schemas#Error">Error</a>.</p></details>`;
};

/** One operation: what it does, who may call it, what it takes and returns, and the request as a command. */
export const operationArticle = (route: Route, collect: Collect): Markup => html`
<article id="${route.name}" aria-labelledby="${route.name}-title">
<h2 id="${route.name}-title"><a href="#${route.name}">${route.summary}</a></h2>
<p class="address"><b class="method ${route.method}">${route.method}</b> <code>${route.path}</code></p>
<p class="access">Access: ${prose(accessOf(route))}</p>
${route.description ? html`<p>${prose(route.description)}</p>` : nothing}
${section('Parameters', memberList(parametersOf(route, collect)))}
${section('Request body', bodyOf(route, collect))}
<h3>Replies</h3>
${successesOf(route, collect)}${pretty(route.examples?.reply)}${failures(route)}
${route.webSocket ? nothing : section('Request', html`<div class="copy">${block(curlOf(route))}</div>`)}
</article>`;
