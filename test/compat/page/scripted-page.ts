import { createContext, runInContext } from "node:vm";
import { z } from "zod";
import type { Documented } from "./documented.ts";
import type { Pressing, Shown } from "./pressing.ts";

interface PageRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
const optionsSchema = z.object({
  requestInterceptor: z.custom<(request: PageRequest) => Promise<PageRequest>>(),
  responseInterceptor: z.custom<(response: unknown) => unknown>(),
});

const bodySchema = z.record(z.string(), z.unknown());

/**
 * The page at /docs without a browser: its own script, with the requests that its library would build. Each press costs one
 * request.
 */
export class ScriptedPage implements Pressing {
  readonly #url: string;
  readonly #options: z.infer<typeof optionsSchema>;
  #token = "";

  private constructor(url: string, options: z.infer<typeof optionsSchema>) {
    this.#url = url;
    this.#options = options;
  }

  static async open(url: string): Promise<ScriptedPage> {
    const [script, document] = await Promise.all(
      ["/docs/start.js", "/openapi.json"].map(async (path) => (await fetch(`${url}${path}`)).text()),
    );
    const location = { href: `${url}/docs` };
    let given: unknown;
    const ask = (path: string, init: RequestInit) => fetch(new URL(path, location.href), init);
    const keep = (options: unknown): void => {
      given = options;
    };
    const context = { fetch: ask, URL, location, pagePlugin: undefined, SwaggerUIBundle: keep };
    runInContext(script ?? "", createContext(context));
    const options = optionsSchema.parse(given);
    options.responseInterceptor({ ok: true, url: `${url}/openapi.json`, text: document });
    return new ScriptedPage(url, options);
  }

  async authorize(token: string): Promise<void> {
    this.#token = token;
  }

  async tryOut(
    operation: Documented,
    shows: string | undefined,
    typed: ReadonlyMap<string, string>,
  ): Promise<Shown> {
    const { method, path, isPublic, shown } = operation;
    const filled = path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => typed.get(name) ?? shown.path[name] ?? "",
    );
    const query = new URLSearchParams(shown.query).toString();
    const body = bodySchema.safeParse(shows === undefined ? undefined : shown.bodies[shows]).data;
    const own = Object.entries(body ?? {}).map(([name, value]) => [name, typed.get(name) ?? value]);
    const request = await this.#options.requestInterceptor({
      method,
      url: `${this.#url}${filled}${query === "" ? "" : `?${query}`}`,
      headers: {
        "content-type": "application/json",
        ...(isPublic ? {} : { Authorization: `Bearer ${this.#token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(Object.fromEntries(own), undefined, 2) }),
    });
    const answer = await fetch(request.url, request);
    const text = await answer.text();
    const parsed: unknown = text === "" ? undefined : JSON.parse(text);
    this.#options.responseInterceptor({ ok: answer.ok, url: request.url, body: parsed });
    return { status: answer.status, url: request.url, body: parsed };
  }
}
