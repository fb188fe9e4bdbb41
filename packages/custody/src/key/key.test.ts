import { describe, expect, it } from "vitest";
import { keyIdSchema, organisationIdSchema, userIdSchema, walletIdSchema } from "../identifiers.ts";
import { networkSchema } from "../network.ts";
import type { CreatingWallet, Wallet, WalletEvent } from "../wallet/wallet.ts";
import { decideWallet } from "../wallet/wallet-decision.ts";
import { type CreatingKey, judgeKeyUser, type Key, type KeyEvent } from "./key.ts";
import { decideKey } from "./key-decision.ts";
import { keyView } from "./key-view.ts";

const date = "2026-01-02T03:04:05.678Z";
const later = "2026-02-02T03:04:05.678Z";
const body = "00000-00000-0000000000000000";
const sepolia = networkSchema.parse("EthereumSepolia");
const pseudo = networkSchema.parse("KeyECDSA");
const alice = userIdSchema.parse(`us-${body}`);
const bob = userIdSchema.parse("us-11111-00000-0000000000000000");
const facts = {
  orgId: organisationIdSchema.parse(`or-${body}`),
  name: undefined,
  requester: { userId: alice },
  dateCreated: date,
  status: "Creating",
} as const;
const creating: CreatingKey = {
  ...facts,
  id: keyIdSchema.parse(`key-${body}`),
  scheme: "ECDSA",
  origin: "generated",
  authorisation: { payload: new Uint8Array(), signature: new Uint8Array() },
  isDelegable: false,
  delegatedTo: undefined,
};
const wallet = (network: typeof sepolia): CreatingWallet => ({
  ...facts,
  id: walletIdSchema.parse(`wa-${body}`),
  keyId: creating.id,
  network,
  externalId: "mine",
  tags: ["a"],
  requestBody: { network },
});
const activated: KeyEvent = {
  kind: "Activated",
  publicKey: "02",
  addresses: new Map([[sepolia, "0xA"]]),
  date,
};

const decided = (key: Key, wallets: readonly Wallet[], event: KeyEvent) => {
  const decision = decideKey(key, wallets, event);
  if (!decision.ok) throw new Error(decision.problem.message);
  return decision.value;
};
const active = (change: Partial<CreatingKey> = {}, network = sepolia) => {
  const { key, wallets } = decided({ ...creating, ...change }, [wallet(network)], activated);
  return { key, wallets };
};
const kinds = (decision: { readonly events: readonly { readonly kind: string }[] }) =>
  decision.events.map(({ kind }) => kind);

describe("a key", () => {
  it("INV-6 comes to be once, its wallets with it, one event each", () => {
    const decision = decided(creating, [wallet(sepolia)], activated);
    expect(kinds(decision)).toEqual(["key.created", "wallet.created"]);
    expect(decision.wallets).toMatchObject([
      { status: "Active", address: "0xA", signingKey: { publicKey: "02", scheme: "ECDSA" } },
    ]);
    expect(decideKey(decision.key, decision.wallets, activated)).toMatchObject({
      ok: false,
      problem: { code: "KeyNotFound" },
    });
  });

  it("gives a wallet of a pseudo network no address, and a wallet of a chain always one", () => {
    expect(active({}, pseudo).wallets).toMatchObject([{ status: "Active", address: undefined }]);
    const nowhere: KeyEvent = { ...activated, addresses: new Map() };
    expect(() => decideKey(creating, [wallet(sepolia)], nowhere)).toThrow("has the address undefined");
  });

  it("that could not be made takes its wallets with it, without an event", () => {
    const problem = { code: "KeyGenerationFailed", message: "a signer went away", details: {} } as const;
    const decision = decided(creating, [wallet(sepolia)], { kind: "GenerationFailed", problem });
    expect(decision).toMatchObject({
      key: { status: "Failed", problem },
      wallets: [{ status: "Failed", externalId: undefined, problem }],
      events: [],
    });
  });

  it("is shown as the interface names it, whatever the signers call its scheme", () => {
    const formats = (["ECDSA", "FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"] as const).map((scheme) => {
      const { key } = active({ scheme });
      if (key.status !== "Active") throw new Error("the key is active");
      return [keyView(key).scheme, keyView(key).curve];
    });
    expect(formats).toEqual([
      ["ECDSA", "secp256k1"],
      ["EdDSA", "ed25519"],
      ["Schnorr", "secp256k1"],
      ["Schnorr", "secp256k1"],
    ]);
  });

  it("is delegated once, when it was made for that, and its wallets with it", () => {
    const { key, wallets } = active({ isDelegable: true });
    const decision = decided(key, wallets, { kind: "Delegated", to: alice, date: later });
    expect(kinds(decision)).toEqual(["key.delegated", "wallet.delegated"]);
    expect(decision.events.map(({ data }) => data)).toMatchObject([
      { key: { custodial: false } },
      { wallet: { custodial: false, signingKey: { delegatedTo: alice } } },
    ]);
    const again = (to: typeof bob) =>
      decideKey(decision.key, decision.wallets, { kind: "Delegated", to, date: later });
    expect(again(alice)).toMatchObject({ ok: true, value: { events: [] } });
    expect(again(bob)).toMatchObject({ ok: false, problem: { code: "KeyNotDelegable" } });
  });

  it("that was not made to be delegated never is", () => {
    const { key, wallets } = active();
    expect(decideKey(key, wallets, { kind: "Delegated", to: alice, date: later })).toMatchObject({
      ok: false,
      problem: { code: "KeyNotDelegable" },
    });
  });

  it("of an end user is used by nobody else", () => {
    expect(judgeKeyUser({ delegatedTo: undefined }, bob).ok).toBe(true);
    expect(judgeKeyUser({ delegatedTo: bob }, bob).ok).toBe(true);
    expect(judgeKeyUser({ delegatedTo: alice }, bob)).toMatchObject({
      ok: false,
      problem: { code: "KeyDelegated" },
    });
  });

  it("keeps the date of its first export, and tells of each", () => {
    const { key, wallets } = active();
    const first = decided(key, wallets, { kind: "Exported", date });
    const second = decided(first.key, first.wallets, { kind: "Exported", date: later });
    expect([kinds(first), kinds(second)]).toEqual([
      ["key.exported", "wallet.exported"],
      ["key.exported", "wallet.exported"],
    ]);
    expect(second.events.at(1)?.data).toMatchObject({ wallet: { exported: true, dateExported: date } });
  });

  it("is archived with its wallets, and nothing happens to it afterwards", () => {
    const { key, wallets } = active({ isDelegable: true });
    const decision = decided(key, wallets, { kind: "Archived", date: later });
    expect(kinds(decision)).toEqual(["key.deleted"]);
    expect(decision.wallets).toMatchObject([{ status: "Archived", dateDeleted: later }]);
    const events: readonly KeyEvent[] = [
      { kind: "Renamed", name: "x" },
      { kind: "Delegated", to: alice, date },
      { kind: "Exported", date },
      { kind: "Archived", date },
    ];
    for (const event of events) {
      expect(decideKey(decision.key, decision.wallets, event)).toMatchObject({
        ok: false,
        problem: { code: "KeyNotFound" },
      });
    }
  });
});

describe("the tags of a wallet", () => {
  const tagged = (tags: readonly string[], kind: "Tagged" | "Untagged" = "Tagged") => {
    const event: WalletEvent = { kind, tags, date };
    const [current] = active().wallets;
    if (current === undefined) throw new Error("the key has a wallet");
    return decideWallet(current, event);
  };

  it("INV-6 are added and removed with an event that says which", () => {
    expect(tagged(["a", "b", "b"])).toMatchObject({
      ok: true,
      value: {
        wallet: { tags: ["a", "b"] },
        events: [{ kind: "wallet.tags.modified", data: { tagsAdded: ["b"], tagsRemoved: [] } }],
      },
    });
    expect(tagged(["a", "c"], "Untagged")).toMatchObject({
      value: { wallet: { tags: [] }, events: [{ data: { tagsAdded: [], tagsRemoved: ["a"] } }] },
    });
  });

  it("that are there already, or not there, change nothing and tell nobody", () => {
    expect(tagged(["a"])).toMatchObject({ value: { events: [] } });
    expect(tagged(["z"], "Untagged")).toMatchObject({ value: { events: [] } });
  });

  it("are ten at most", () => {
    expect(tagged(Array.from("bcdefghij")).ok).toBe(true);
    expect(tagged(Array.from("bcdefghijk"))).toMatchObject({ problem: { code: "TagsTooMany" } });
  });
});
