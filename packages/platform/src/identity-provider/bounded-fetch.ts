import type { CustomFetch } from "openid-client";
import { isProtected } from "./protected-url.ts";

/** limit on a provider's metadata, keys or tokens */
const ANSWER_BYTES_MAX = 1_048_576;

/** The whole body, up to the limit. @throws Error if it is longer */
const bytesOf = async (answer: Response): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw new Error(`the answer has more than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
};

/**
 * `fetch` that follows no redirect, and rejects an answer of more than one MiB before it is held whole. A provider's metadata
 * names the addresses, and none of them is asked without TLS outside of this machine.
 */
export const boundedFetch: CustomFetch = async (url, { body: sent, signal, method, headers: given }) => {
  if (!isProtected(new URL(url))) throw new Error("the provider names an address without TLS");
  const answer = await fetch(url, {
    method,
    headers: given,
    redirect: "manual",
    body: sent ?? null,
    signal: signal ?? null,
  });
  const { status, statusText, headers } = answer;
  const body = await bytesOf(answer);
  return new Response(body.length === 0 ? null : body, { status, statusText, headers });
};
