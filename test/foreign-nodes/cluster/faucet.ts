import { createServer } from "node:http";
import { z } from "zod";
import type { RunningNode } from "../node.ts";

const fundSchema = z.object({ address: z.string(), amount: z.coerce.bigint() });
const mineSchema = z.object({ blocks: z.int().min(1).default(1) });

/** The two admin commands of a ledger that family drivers use. */
export interface Faucet {
  readonly url: string;
  close(): Promise<void>;
}

const obey = async (node: RunningNode, action: string, given: unknown): Promise<void> => {
  if (action === "/fund") {
    const { address, amount } = fundSchema.parse(given);
    return node.fund(address, amount);
  }
  if (action === "/mine") return node.mine(mineSchema.parse(given).blocks);
  throw new Error(`a foreign node knows no ${action}`);
};

/** Serves these commands for a foreign node, in sequence. */
export const startFaucet = async (node: RunningNode): Promise<Faucet> => {
  let last: Promise<void> = Promise.resolve();
  const server = createServer(async (message, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const turn = last.then(() => obey(node, message.url ?? "", JSON.parse(text)));
    last = turn.catch(() => undefined);
    turn.then(
      () => response.writeHead(200).end("{}"),
      (cause: unknown) => response.writeHead(400).end(String(cause)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the faucet has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
