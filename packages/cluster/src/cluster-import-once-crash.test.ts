import { CGGMP24, type PartyIndex, SECP256K1 } from "@conclave/threshold";
import { testParties } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TestCluster } from "./testing/cluster.ts";
import { crashEverywhere, type Death, reviving } from "./testing/crashes.ts";
import { keyIdOf } from "./testing/fixtures.ts";
import { allHeldKeys } from "./testing/held-keys.ts";
import { dealtFor, type Envelopes, importOn, organisationOf, sealAll } from "./testing/key-passage.ts";
import { takenEnvelopesIn } from "./testing/ledger.ts";

const SIZE = 3;
const THRESHOLD = 2;
const PARTIES = testParties(SIZE);
const KEYS = [31, 32, 33].map(keyIdOf);
const open = () => new TestCluster({ seed: "once", size: SIZE, threshold: THRESHOLD, engine: "tiny" });

/** The envelopes that two clients sealed. */
const SETS = ["first", "second"].map((seed) => sealAll(dealtFor(CGGMP24, SIZE, THRESHOLD, seed), seed));

/** An envelope of a set, unchanged or with another ciphertext under the same ephemeral key. */
interface Choice {
  readonly set: number;
  readonly isBent: boolean;
}

const chosen = (choices: readonly Choice[]): Envelopes =>
  new Map(
    PARTIES.map((party, at) => {
      const { set, isBent } = choices[at] ?? { set: 0, isBent: false };
      const envelope = SETS[set]?.get(party) ?? expect.fail("each set has an envelope for each");
      return [party, isBent ? envelope.with(0, (envelope[0] ?? 0) ^ 1) : envelope] as const;
    }),
  );

const ephemeralKeyOf = (envelope: Uint8Array): string => bytesToHex(envelope.slice(-SECP256K1.pointBytes));

/** The key ids for which each envelope was taken, by signer and ephemeral key. */
const takenFor = (taken: Iterable<readonly [PartyIndex, string, string]>) => {
  const keys = new Map<string, Set<string>>();
  for (const [signer, ephemeralKey, keyId] of taken) {
    const place = `${signer}/${ephemeralKey}`;
    keys.set(place, (keys.get(place) ?? new Set()).add(keyId));
  }
  return keys;
};

/** Expects that each envelope served one key id at each signer, in all its lives, and that its records agree. */
const expectOnce = ({ ledger, nodes }: TestCluster): void => {
  const opened = takenFor(
    ledger.opened.map(({ signer, envelope, keyId }) => [signer, ephemeralKeyOf(envelope), keyId]),
  );
  const remembered = takenFor(
    [...nodes.values()].flatMap(({ self, records }) =>
      takenEnvelopesIn(records).map(
        ({ ephemeralKey, keyId }) => [self, ephemeralKey ?? expect.fail("all have one"), keyId] as const,
      ),
    ),
  );
  for (const keys of [...opened.values(), ...remembered.values()]) expect(keys.size).toBe(1);
  for (const [place, keys] of opened) expect(remembered.get(place)).toEqual(keys);
};

const importAs = (cluster: TestCluster, keyId: string, envelopes: Envelopes, seed: string) => {
  const outcome = importOn(cluster, { envelopes, change: { keyId, orgId: organisationOf(1) }, seed });
  reviving(cluster, () => outcome.isClosed);
  return outcome;
};

const isHeld = ({ nodes }: TestCluster, id: string): boolean =>
  [...nodes.values()].some((node) => allHeldKeys(node).some(({ keyId }) => keyId === id));

test("INV-11 a signer that dies before any one of its effects forgets no envelope: no second key comes of it", () => {
  const [own = "", stolen = ""] = KEYS;
  const envelopes = chosen([]);
  let made = 0;
  const crashes = crashEverywhere(
    open,
    (cluster) => {
      const first = importAs(cluster, own, envelopes, "first");
      const began = new Set(cluster.ledger.opened.map(({ signer }) => signer));
      const replay = importAs(cluster, stolen, envelopes, "stolen");
      // the first import may have ended before any signer took its envelope: then no envelope was seen
      if (began.size > 0) expect([replay.result, isHeld(cluster, stolen)]).toEqual([undefined, false]);
      const again = importAs(cluster, own, envelopes, "again");
      if (first.result !== undefined) expect(again.result?.keyId).toBe(own);
      if (again.result !== undefined) made += 1;
      expectOnce(cluster);
    },
    "power",
  );
  expect(crashes).toBeGreaterThan(15);
  expect(made).toBeGreaterThan(10);
});

interface Attempt {
  readonly key: number;
  readonly choices: readonly Choice[];
  /** the coordinator dies once this many envelopes were opened; undefined: it does not die */
  readonly diesAfter: number | undefined;
  readonly crash: { readonly signer: number; readonly at: number; readonly death: Death } | undefined;
  readonly isDiscarded: boolean;
  readonly restarted: readonly number[];
}

const choice = fc.record({
  set: fc.constantFrom(0, 0, 0, 1),
  isBent: fc.constantFrom(false, false, false, true),
});
const attempt: fc.Arbitrary<Attempt> = fc.record({
  key: fc.nat(KEYS.length - 1),
  choices: fc.oneof(
    choice.map((each) => PARTIES.map(() => each)),
    fc.tuple(...PARTIES.map(() => choice)),
  ),
  diesAfter: fc.option(fc.nat(SIZE), { freq: 3, nil: undefined }),
  crash: fc.option(
    fc.record({
      signer: fc.constantFrom(...PARTIES),
      at: fc.nat(20),
      death: fc.constantFrom<Death>("process", "power"),
    }),
    { freq: 2, nil: undefined },
  ),
  isDiscarded: fc.boolean(),
  restarted: fc.subarray([...PARTIES]),
});

const play = (
  cluster: TestCluster,
  { key, choices, diesAfter, crash, ...after }: Attempt,
  seed: string,
): void => {
  const keyId = KEYS[key] ?? expect.fail("the keys are few");
  if (crash !== undefined) {
    const node = cluster.node(crash.signer);
    node.diesAt = node.effectsDone + crash.at;
    node.losesPower = crash.death === "power";
  }
  const outcome = importOn(cluster, { envelopes: chosen(choices), change: { keyId }, seed });
  const before = cluster.ledger.opened.length;
  const isOver = (): boolean =>
    outcome.isClosed || (diesAfter !== undefined && cluster.ledger.opened.length >= before + diesAfter);
  reviving(cluster, isOver);
  if (!outcome.isClosed) outcome.die();
  if (after.isDiscarded) {
    for (const signer of PARTIES) cluster.call(signer, (call) => ({ kind: "discard-key", call, keyId }));
    cluster.rest(100);
  }
  cluster.kill(...after.restarted);
  cluster.restart(...PARTIES.filter((party) => !cluster.live.includes(party)));
};

test("INV-11 any imports of any envelopes under any key ids, with any crashes, leave each envelope under one key id", () => {
  let made = 0;
  let refused = 0;
  fc.assert(
    fc.property(fc.array(attempt, { minLength: 2, maxLength: 6 }), (attempts) => {
      const cluster = open();
      for (const [at, each] of attempts.entries()) {
        play(cluster, each, `property ${at}`);
        expectOnce(cluster);
      }
      const used = takenFor(
        cluster.ledger.opened.map(({ signer, envelope, keyId }) => [signer, ephemeralKeyOf(envelope), keyId]),
      );
      made += KEYS.filter((keyId) => isHeld(cluster, keyId)).length;
      refused += attempts.length * SIZE - used.size;
    }),
    { numRuns: 25, seed: 11 },
  );
  expect(made).toBeGreaterThan(10); // many imports make keys
  expect(refused).toBeGreaterThan(10); // and many envelopes come twice
});
