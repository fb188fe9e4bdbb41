import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { GatewayEnv } from "../dependencies.ts";
import { PAGE_PLUGIN } from "../document/page-plugin.ts";
import { PAGE_SCRIPT } from "../document/page-script.ts";
import { PAGE_STYLE } from "../document/page-style.ts";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conclave API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/plugin.js" defer></script>
<script src="/docs/start.js" defer></script>
</head>
<body>
<main id="page"><p>The API of Conclave is being loaded.</p></main>
</body>
</html>
`;

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";
const ASSETS: Readonly<Record<string, string>> = {
  "swagger-ui.css": STYLE,
  "swagger-ui-bundle.js": SCRIPT,
  "favicon-32x32.png": "image/png",
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";
const CACHE = "public, max-age=3600";

/** Adds the browsable page of the API. All its files come from this process, and it needs no token. */
export const addDocsRoutes = (app: OpenAPIHono<GatewayEnv>): void => {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  app.get("/", (c) => c.redirect("/docs"));
  app.get("/docs", (c) => {
    c.header("content-security-policy", POLICY);
    return c.html(PAGE);
  });
  const made = {
    "plugin.js": [PAGE_PLUGIN, SCRIPT],
    "start.js": [PAGE_SCRIPT, SCRIPT],
    "page.css": [PAGE_STYLE, STYLE],
  } as const;
  for (const [name, [content, type]] of Object.entries(made)) {
    app.get(`/docs/${name}`, (c) => c.body(content, 200, { "content-type": type }));
  }
  for (const [name, type] of Object.entries(ASSETS)) {
    const content = readFileSync(join(folder, name));
    app.get(`/docs/${name}`, (c) => c.body(content, 200, { "content-type": type, "cache-control": CACHE }));
  }
};
