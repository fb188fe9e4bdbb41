import { z } from "zod";
import { ScriptedNode } from "../scripted-node.ts";

const callSchema = z.object({
  id: z.union([z.number(), z.string()]),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});
export type EvmCallAsked = z.infer<typeof callSchema>;

/** The answers of a scripted node. */
export type EvmAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

export interface StubEvm {
  readonly rpcUrl: string;
  /** the calls it received so far */
  readonly asked: readonly EvmCallAsked[];
  close(): Promise<void>;
}

/**
 * Opens an EVM node with scripted answers.
 * @param answer undefined leaves the answer to the real node
 * @param behind URL of a real node; without one, a call without a scripted answer is an unknown method
 */
export const openStubEvm = async (
  answer: (call: EvmCallAsked) => EvmAnswer | undefined,
  behind?: string,
): Promise<StubEvm> => {
  const asked: EvmCallAsked[] = [];
  const respond = async (call: EvmCallAsked): Promise<unknown> => {
    asked.push(call);
    const reported = answer(call);
    if (reported !== undefined) return { jsonrpc: "2.0", id: call.id, ...reported };
    if (behind === undefined) {
      return { jsonrpc: "2.0", id: call.id, error: { code: -32_601, message: "the method does not exist" } };
    }
    const response = await fetch(behind, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", ...call }),
    });
    return response.json();
  };
  const node = new ScriptedNode(async ({ body }) => {
    const calls: unknown = JSON.parse(Buffer.from(body).toString());
    const answered = Array.isArray(calls)
      ? await Promise.all(calls.map((each) => respond(callSchema.parse(each))))
      : await respond(callSchema.parse(calls));
    return { status: 200, text: JSON.stringify(answered) };
  });
  await node.start();
  return { rpcUrl: node.url, asked, close: () => node.stop() };
};
