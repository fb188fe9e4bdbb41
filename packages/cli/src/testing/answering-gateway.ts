import type { AskGateway, Method } from "../client/gateway.ts";

export interface Asked {
  readonly method: Method;
  readonly path: string;
  readonly body: unknown;
}

/** A gateway with prepared answers, several for a request in order, which records the requests. */
export const answeringGateway = (
  answers: Readonly<Record<string, readonly unknown[]>>,
): { readonly ask: AskGateway; readonly asked: readonly Asked[] } => {
  const asked: Asked[] = [];
  const ask: AskGateway = async (schema, method, path, body) => {
    const name = `${method} ${path}`;
    const before = asked.filter((one) => `${one.method} ${one.path}` === name).length;
    asked.push({ method, path, body });
    const prepared = answers[name] ?? [];
    if (prepared.length === 0) throw new Error(`nobody prepared an answer to ${name}`);
    return schema.parse(prepared[Math.min(before, prepared.length - 1)]);
  };
  return { ask, asked };
};
