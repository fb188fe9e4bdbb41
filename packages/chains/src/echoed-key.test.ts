import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NODES } from "./node.ts";
import { FAMILIES } from "./registry.ts";
import { ALGORAND_TESTNET } from "./testing/algorand-samples.ts";
import { BITCOIN_SIGNET } from "./testing/bitcoin-samples.ts";
import { SEPOLIA } from "./testing/samples.ts";
import { SOLANA_DEVNET } from "./testing/solana-samples.ts";
import { STELLAR_TESTNET } from "./testing/stellar-samples.ts";
import { TRON_NILE } from "./testing/tron-samples.ts";
import { XRPL_TESTNET } from "./testing/xrpl-samples.ts";

/** Secret keys of a node provider, in the path and in the query of a node's URL. */
const PATH_KEY = "sekret-path-0123456789";
const QUERY_KEY = "sekret-query%2B0123456789";

/** A proxy in front of a node that does not know the path: it repeats the path in an HTTP error, or in a JSON-RPC error. */
let proxy: Server;
let status = 404;
let url: string;

beforeAll(async () => {
  proxy = createServer((request, response) => {
    const words = `Cannot ${request.method} ${request.url}`;
    const body = JSON.stringify({
      title: words,
      message: words,
      Error: words,
      error: { code: -32_000, message: words },
    });
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v2/${PATH_KEY}?key=${QUERY_KEY}`;
});
afterAll(() => new Promise((resolve) => proxy.close(resolve)));

const ENTRIES: Readonly<Record<string, () => object>> = {
  Evm: () => ({ ...SEPOLIA, confirmations: 1, rpcUrl: url }),
  Algorand: () => ({ ...ALGORAND_TESTNET, algodUrl: url }),
  Bitcoin: () => ({ ...BITCOIN_SIGNET, bitcoindUrl: url }),
  Solana: () => ({ ...SOLANA_DEVNET, solanaUrl: url }),
  Stellar: () => ({ ...STELLAR_TESTNET, horizonUrl: url, rpcUrl: url }),
  Tron: () => ({ ...TRON_NILE, fullNodeUrl: url }),
  Xrpl: () => ({ ...XRPL_TESTNET, rippledUrl: url }),
};

describe("INV-10 a key in a node's address", () => {
  it.each(FAMILIES.families.map(({ name }) => name))(
    "is in no word that %s has of its node",
    async (family) => {
      const [entry] = FAMILIES.networksSchema.parse([
        ENTRIES[family]?.() ?? expect.fail(`${family} has no entry`),
      ]);
      const node = NODES.connect(entry ?? expect.fail("it is an entry"));
      for (status of [404, 403, 500, 200]) {
        const said = [await node.head(), await node.feeLevels()];
        expect(
          JSON.stringify(said, (_, value) => (typeof value === "bigint" ? String(value) : value)),
        ).not.toContain("sekret");
      }
    },
  );

  it("is not in what an EVM node says of a transaction that it does not take", async () => {
    status = 200;
    const [entry] = FAMILIES.networksSchema.parse([ENTRIES["Evm"]?.()]);
    const refused = await NODES.connect(entry ?? expect.fail("it is an entry")).broadcast(Uint8Array.of(2));
    expect(refused).toEqual({
      kind: "refused",
      reason: "the chain node does not take the transaction: Cannot POST /v2/…?key=…",
    });
  });
});
