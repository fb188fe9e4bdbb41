import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, PlacesToSearch } from "../../chain.ts";
import {
  authorisedStellar,
  LUMEN_TRANSFER,
  STELLAR_SENDER,
  STELLAR_TESTNET,
} from "../../testing/stellar-samples.ts";
import { StubHorizon } from "../../testing/stub-horizon.ts";
import { stellarNode } from "./node.ts";

const LAST = 100n;

let horizon: StubHorizon;
let node: ChainNode;
beforeEach(async () => {
  horizon = await StubHorizon.start();
  node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: horizon.url });
  horizon.accounts.set(STELLAR_SENDER, { sequence: LAST, balance: 100_000_000n });
  // it has forgotten what was long ago
  horizon.answers = (path) =>
    path.startsWith(`/accounts/${STELLAR_SENDER}/transactions`)
      ? { status: 200, text: JSON.stringify({ _embedded: { records: [] } }) }
      : path === "/"
        ? { status: 200, text: JSON.stringify({ history_elder_ledger: 2 ** 30 }) }
        : undefined;
});
afterEach(() => horizon.stop());

const search = async (places: PlacesToSearch) =>
  (await node.findSent?.(STELLAR_SENDER, {
    act: authorisedStellar(LUMEN_TRANSFER),
    sinceMs: 0,
    places,
    isIt: async () => true,
  })) ?? expect.fail("it finds nothing");

describe("INV-4 the transaction that an account has sent", () => {
  it("is nothing in a place that its sequence has not passed, however long ago", async () => {
    const next = LAST + 1n;
    expect(await search({ lowest: next, highest: next, isExplained: () => false })).toEqual({ ok: true });
    expect(await search({ lowest: next, highest: undefined, isExplained: () => false })).toEqual({
      ok: true,
    });
  });

  it("is nothing where the account has sent nothing, or what records explain", async () => {
    const created = 1_000n << 32n;
    horizon.accounts.set(STELLAR_SENDER, { sequence: created, balance: 1n });
    const places = { lowest: 0n, highest: undefined, isExplained: (place: bigint) => place === created + 1n };
    expect(await search(places)).toEqual({ ok: true });
    horizon.accounts.set(STELLAR_SENDER, { sequence: created + 1n, balance: 1n });
    expect(await search(places)).toEqual({ ok: true });
    horizon.accounts.set(STELLAR_SENDER, { sequence: created + 2n, balance: 1n });
    expect(await search(places)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });

  it("is not known where it may be in places that were passed", async () => {
    const places = { lowest: LAST, highest: LAST, isExplained: () => false };
    expect(await search(places)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });
});
