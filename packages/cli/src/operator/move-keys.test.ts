import type { KeyHolding } from "@conclave/cluster";
import { fail, ok } from "@conclave/custody";
import { CGGMP24, encode, type PartyIndex, publicKeyInfoCodec } from "@conclave/threshold";
import { insecureKeyShares, testParties } from "@conclave/threshold/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { moveKeys, type SignersSteps } from "./move-keys.ts";
import { Operator } from "./operator.ts";

// Five signers with threshold 3; 1 and 2 leave, and the threshold becomes 2. The signers are fakes.

const KEY = "key-a";
const ALL = testParties(5);
const STAYING = ALL.filter((index) => index > 2);
const CERTIFICATE = Uint8Array.of(1);

const infoOf = (
  threshold: number,
  parties: readonly PartyIndex[],
  keyId: string,
  epoch: number,
): Uint8Array => {
  const [share = expect.fail("there is one")] = insecureKeyShares(threshold, parties, KEY).values();
  return encode(publicKeyInfoCodec(CGGMP24), { ...share.info, keyId, epoch });
};

const held = new Map<
  PartyIndex,
  Map<string, { epoch: number; info: Uint8Array; state: "active" | "pending" }>
>();
const moves = { done: [] as string[], move: (_keyId: string): void => undefined };

const steps: SignersSteps = {
  auxiliaryAt: () => ({ isShared: true, epoch: 1 }),
  reshareKey: async (_run, { keyId }) => {
    moves.move(keyId);
    return { keyId, epoch: 2, lacking: [] };
  },
};

const lies = {
  certificateOf: (_index: PartyIndex): Uint8Array | undefined => CERTIFICATE,
  isDeaf: (_index: PartyIndex): boolean => false,
};

const clientOf = (index: PartyIndex) => ({
  index,
  listKeys: async () => ({
    ok: true,
    value: {
      keys: [...(held.get(index) ?? [])].map(
        ([keyId, { epoch, state }]): KeyHolding =>
          ({
            keyId,
            state,
            epoch,
            publicKey: new Uint8Array(33).fill(2),
            isImported: false,
            isExported: false,
            next: [],
          }) as never,
      ),
      next: undefined,
    },
  }),
  getKeyInfo: async (keyId: string) => {
    const its = held.get(index)?.get(keyId);
    return its === undefined ? fail("KeyUnknown") : ok(its.info);
  },
  getCertificate: async () => ok(lies.certificateOf(index)),
  switchEpoch: async (certificate: Uint8Array) => {
    if (lies.isDeaf(index)) return fail("ServiceUnavailable");
    if (certificate[0] !== CERTIFICATE[0]) return fail("EpochCertificateInvalid");
    held.get(index)?.delete(KEY);
    return ok({ epoch: 2 });
  },
});

beforeEach(() => {
  moves.done.length = 0;
  for (const index of ALL)
    held.set(index, new Map([[KEY, { epoch: 1, info: infoOf(3, ALL, KEY, 1), state: "active" }]]));
  moves.move = (keyId) => {
    moves.done.push(keyId);
    for (const index of STAYING)
      held.get(index)?.set(keyId, { epoch: 2, info: infoOf(2, STAYING, keyId, 2), state: "active" });
  };
  const clients = ALL.map(clientOf);
  const operator = {
    roster: { threshold: 2, change: { threshold: 2, leaving: [1, 2] } },
    members: new Map(ALL.map((index) => [index, { id: `signer-${index}`, isLeaving: index < 3 }])),
    clients,
    allLive: async () => undefined,
    hear: async () =>
      clients.map((client) => ({ index: client.index, id: `signer-${client.index}`, client, status: {} })),
    [Symbol.dispose]: () => undefined,
  };
  vi.spyOn(Operator, "enter").mockResolvedValue(operator as never);
});
afterEach(() => {
  lies.certificateOf = () => CERTIFICATE;
  lies.isDeaf = () => false;
  vi.restoreAllMocks();
});

const move = () => moveKeys({ state: "none", databaseUrl: undefined }, steps);

describe("a move of all keys", () => {
  test("moves the key, and the signers that leave give up theirs", async () => {
    await move();
    expect(moves.done).toEqual([KEY]);
    expect([1, 2].map((at) => held.get(ALL[at - 1] ?? expect.fail())?.size)).toEqual([0, 0]);
  });

  test("is not done while a key is where it was, because one signer says that it is being made", async () => {
    held.get(ALL[4] ?? expect.fail())?.set(KEY, { epoch: 1, info: infoOf(3, ALL, KEY, 1), state: "pending" });
    const ended = await move().then(
      () => "done",
      () => "failed",
    );
    expect([ended, ...moves.done]).not.toEqual(["done"]);
  });

  test("goes on where one signer names a key that no other knows", async () => {
    const bogus = "key-0";
    held
      .get(ALL[4] ?? expect.fail())
      ?.set(bogus, { epoch: 1, info: infoOf(3, ALL, bogus, 1), state: "active" });
    await move();
    expect(moves.done).toContain(KEY);
  });

  test("is not done while signers that leave hold shares, because the first that stays shows no certificate", async () => {
    lies.certificateOf = (index) => (index === 3 ? Uint8Array.of(0) : CERTIFICATE);
    const ended = await move().then(
      () => "done",
      () => "failed",
    );
    const left = [1, 2].map((at) => held.get(ALL[at - 1] ?? expect.fail())?.size);
    expect({ ended, left }).not.toEqual({ ended: "done", left: [1, 1] });
  });

  test("is not done while a signer that leaves has not answered, and holds its share", async () => {
    lies.isDeaf = (index) => index === 1;
    const ended = await move().then(
      () => "done",
      () => "failed",
    );
    expect({ ended, left: held.get(ALL[0] ?? expect.fail())?.size }).not.toEqual({ ended: "done", left: 1 });
  });
});
