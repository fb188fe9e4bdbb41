import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, PlacesToSearch } from "../../chain.ts";
import { StubRippled } from "../../testing/stub-rippled.ts";
import { authorisedXrpl, XRP_TRANSFER, XRPL_SENDER, XRPL_TESTNET } from "../../testing/xrpl-samples.ts";
import { xrplNode } from "./node.ts";

const NEXT = 500n;
const FIRST_LEDGER = 900;

let rippled: StubRippled;
let node: ChainNode;
beforeEach(async () => {
  rippled = await StubRippled.start();
  node = xrplNode({ ...XRPL_TESTNET, rippledUrl: rippled.url });
  rippled.accounts.set(XRPL_SENDER, { balance: 100_000_000n, sequence: Number(NEXT) });
  // payments of others fill pages without end, and the node has few ledgers
  rippled.answers = (method) => {
    if (method !== "account_tx") return undefined;
    const result = { status: "success", ledger_index_min: FIRST_LEDGER, transactions: [], marker: 1 };
    return { status: 200, text: JSON.stringify({ result }) };
  };
});
afterEach(() => rippled.stop());

const search = async (places: PlacesToSearch) =>
  (await node.findSent?.(XRPL_SENDER, {
    act: authorisedXrpl(XRP_TRANSFER),
    sinceMs: 0,
    places,
    isIt: async () => true,
  })) ?? expect.fail("it finds nothing");

describe("INV-4 what an account has sent", () => {
  it("is nothing in a place that its sequence has not passed, however much it was paid since", async () => {
    expect(await search({ lowest: NEXT, highest: NEXT, isExplained: () => false })).toEqual({ ok: true });
    expect(await search({ lowest: NEXT, highest: undefined, isExplained: () => false })).toEqual({
      ok: true,
    });
  });

  it("is not known where it may be in places that were passed", async () => {
    const places = { lowest: NEXT - 1n, highest: NEXT - 1n, isExplained: () => false };
    expect(await search(places)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });

  it("is not known where it waits in the queue, in a place that nothing explains", async () => {
    rippled.accounts.set(XRPL_SENDER, { balance: 1n, sequence: Number(NEXT), queued: [Number(NEXT)] });
    const places = { lowest: NEXT, highest: undefined, isExplained: () => false };
    expect(await search(places)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
    expect(await search({ ...places, isExplained: (place) => place === NEXT })).toEqual({ ok: true });
  });
});
