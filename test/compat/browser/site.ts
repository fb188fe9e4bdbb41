import { once } from "node:events";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Generations of the client library whose browser signer reads a challenge's `rp`. */
export const BROWSER_GENERATIONS = ["0-4-3", "0-5-8"] as const;
export type BrowserGeneration = (typeof BROWSER_GENERATIONS)[number];

const HERE = dirname(fileURLToPath(import.meta.url));
const HTML = '<!doctype html><meta charset="utf-8"><title>A shop</title><script src="/page.js"></script>';

/** The page's script with one generation of the library and its signer, bundled like a web project. */
const bundle = async (generation: BrowserGeneration): Promise<string> => {
  const library = `dfns-sdk-${generation}`;
  const { outputFiles } = await build({
    absWorkingDir: HERE,
    entryPoints: [join(HERE, "page.ts")],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    define: { global: "globalThis" },
    alias: {
      // for the page, and for the signer, which imports it as a peer dependency
      "@dfns/sdk": library,
      "dfns-sdk-browser-0-5-8": `dfns-sdk-browser-${generation}`,
    },
  });
  return outputFiles[0]?.text ?? "";
};

/** A web server with the page of each generation. */
export interface Site {
  readonly port: number;
  stop(): Promise<void>;
}

/** Serves /0-4-3/ and /0-5-8/ on loopback, at any free port. */
export const startSite = async (): Promise<Site> => {
  const scripts = new Map<string, string>();
  for (const generation of BROWSER_GENERATIONS)
    scripts.set(`/${generation}/page.js`, await bundle(generation));
  const server = createServer(({ url = "" }, response) => {
    const script = scripts.get(url);
    response.setHeader("content-type", script === undefined ? "text/html" : "text/javascript");
    response.end(script ?? HTML.replace("/page.js", `${url}page.js`));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the site has no port");
  return {
    port: address.port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
