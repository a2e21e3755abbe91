import { defineConfig, type Plugin } from 'vite';

/** Where `npm start` serves. */
const server = 'http://127.0.0.1:8080';

/**
 * The order of layers is that of their first mention. Every style sheet begins with it, because any of them may be the first
 * that a page loads.
 */
const layerOrder: Plugin = {
  name: 'layer-order',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'asset' && file.fileName.endsWith('.css'))
        file.source = `@layer tokens,base,parts;${String(file.source)}`;
  },
};

/** The font of most text loads while the scripts do: text is laid out once, and does not change its look. */
const fontPreload: Plugin = {
  name: 'font-preload',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => /\/inter-.*\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `./${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
          injectTo: 'head',
        })),
  },
};

/** What most screens share, and the first screen: one script and one style sheet. Many small files take longer. */
const shared =
  /src\/console\/(?!stacks\/(?:welcome|example-picture)|parts\/forms\/secret-once)(?:address|api|app|clock|failed-screen|lists|live|main|parts|preferences|screens|session|shell|stacks|theme|examples|index\.html)|node_modules\/(?:react|react-dom|scheduler|wouter|@tanstack|eventsource-parser)|rolldown\/runtime|vite\/preload-helper/;

export default defineConfig({
  plugins: [layerOrder, fontPreload],
  root: import.meta.dirname,
  // Relative addresses: the console works below any path prefix. The server completes those of index.html.
  base: './',
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // Browsers of 2024 and later: nesting, light-dark(), container queries.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    sourcemap: true,
    // Says which files each screen loads; test/e2e/console/sizes.test.ts reads it.
    manifest: true,
    // Data URLs of fonts and scripts are refused by the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Libraries mark modules for server rendering, which does not exist here; timings belong to a profiler.
    rolldownOptions: {
      checks: { moduleLevelDirective: false, bundlerTimings: false },
      output: { codeSplitting: { groups: [{ name: 'shared', test: shared }] } },
    },
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/v2', '/v3', '/terminal', '/docs', '/openapi.json'].map((path) => [
        path,
        { target: server, ws: true },
      ]),
    ),
  },
});
