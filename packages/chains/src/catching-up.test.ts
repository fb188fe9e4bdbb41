import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NODES } from "./node.ts";
import { solanaNode } from "./solana/node/node.ts";
import { ALGORAND_TESTNET } from "./testing/algorand-samples.ts";
import { BITCOIN_SIGNET } from "./testing/bitcoin-samples.ts";
import { SEPOLIA } from "./testing/samples.ts";
import { SOLANA_DEVNET } from "./testing/solana-samples.ts";

let said: object;
let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((_, response) => response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...said })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const behind = { code: -32_005, message: "Node is behind by 42 slots" };
const progress = { startingBlock: "0x0", currentBlock: "0x5", highestBlock: "0x400" };
const evm = () => ({ ...SEPOLIA, family: "Evm", rpcUrl: url, confirmations: 1 }) as const;

describe("K5 a node that reads its chain", () => {
  it.each([
    ["EVM", evm, { result: progress }, { result: false }],
    [
      "Bitcoin",
      () => ({ ...BITCOIN_SIGNET, bitcoindUrl: url }),
      { result: { initialblockdownload: true }, error: null },
      { result: { initialblockdownload: false }, error: null },
    ],
    [
      "Algorand",
      () => ({ ...ALGORAND_TESTNET, algodUrl: url }),
      { "catchup-time": 5_000_000_000 },
      { "catchup-time": 0 },
    ],
  ])("says so on %s, and says when it has", async (_, entry, reading, done) => {
    const ask = () => NODES.connect(entry()).isCatchingUp?.();
    said = reading;
    expect(await ask()).toEqual({ ok: true, value: true });
    said = done;
    expect(await ask()).toEqual({ ok: true, value: false });
    said = { result: null };
    expect(await ask()).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });

  it("says on Solana only that it has", async () => {
    const ask = () => solanaNode({ ...SOLANA_DEVNET, solanaUrl: url }).isCatchingUp?.();
    said = { error: behind };
    expect(await ask()).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
    said = { result: "ok" };
    expect(await ask()).toEqual({ ok: true, value: false });
  });
});
