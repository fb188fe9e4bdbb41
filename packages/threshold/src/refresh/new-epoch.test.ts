import { ed25519 } from "@noble/curves/ed25519.js";
import { schnorr } from "@noble/curves/secp256k1.js";
import { concatBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { startAuxiliaryGeneration } from "../auxiliary/auxiliary.ts";
import type { AuxiliaryInfo } from "../auxiliary/auxiliary-info.ts";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../insecure-test-parameters.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { startPresigning } from "../presign/presign.ts";
import type { Presignature } from "../presign/presignature.ts";
import { publicKeyOf } from "../public-key.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import { FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { Secret } from "../secret.ts";
import { sessionId } from "../session/session-id.ts";
import { startSigning } from "../sign/sign.ts";
import { isSignatureOf } from "../sign/signature.ts";
import { frostStarts } from "../testing/frost-starts.ts";
import {
  insecureAuxiliaryInfo,
  insecureAuxiliaryPrimes,
  testParties,
  testParty,
} from "../testing/insecure-auxiliary.ts";
import { insecureKeyShares, insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { outputsOf } from "../testing/presigning.ts";
import { insecurePeerKeys, runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import { startRefresh } from "./refresh.ts";

type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;
type Held<T> = ReadonlyMap<PartyIndex, T>;

const parties = testParties(2);
const [alice, bob] = [testParty(1), testParty(2)];
const session = testSessionId("new epoch");
const digest = new Uint8Array(32).fill(7);
const present = <T>(value: T | undefined): T => value ?? expect.fail("is not there");

const presign = (keys: Held<KeyShare>, auxiliary: Held<AuxiliaryInfo>) =>
  runLockstep<Presignature>({
    starts: new Map(
      parties.map((self) => {
        const own = { key: present(keys.get(self)), auxiliary: present(auxiliary.get(self)) };
        return [self, startPresigning({ session, self, signers: parties, ...own })];
      }),
    ),
  });

const oldKeys = insecureKeyShares(2, parties);
const oldAuxiliary = insecureAuxiliaryInfo(parties);
const newKeys = outputsOf(
  runLockstep({ starts: new Map([...oldKeys].map(([self, key]) => [self, startRefresh({ session, key })])) }),
);
const info = present(newKeys.get(alice)).info;

describe("after a refresh, with auxiliary info of a new epoch", () => {
  const newAuxiliary = outputsOf(
    runLockstep({
      starts: new Map(
        parties.map((self) => {
          const primes = new Secret(insecureAuxiliaryPrimes(self + parties.length)); // different from the old primes
          const run = { session, self, parties, epoch: 1, parameters, primes };
          return [self, startAuxiliaryGeneration(run)];
        }),
      ),
    }),
  );

  it("the holders sign under the same key", () => {
    const presignatures = outputsOf(presign(newKeys, newAuxiliary));
    const starts = [...presignatures].map(
      ([self, presignature]) => [self, startSigning({ self, presignature, digest, key: info })] as const,
    );
    for (const signature of outputsOf(runLockstep({ starts: new Map(starts) })).values()) {
      expect(isSignatureOf(present(oldKeys.get(alice)).info.publicKey, digest, signature)).toBe(true);
    }
  });

  it("makes no presignature for a signer that still has the old auxiliary info", () => {
    const mixed = new Map(newAuxiliary).set(bob, present(oldAuxiliary.get(bob)));
    for (const outcome of presign(newKeys, mixed).values()) expect(outcome.kind).not.toBe("output");
  });
});

describe("a presignature of an epoch before the refresh", () => {
  it("is refused, and stays unused, when the caller knows the epoch of the key", () => {
    const presignature = present(outputsOf(presign(oldKeys, oldAuxiliary)).get(alice));
    const start = (key: { readonly keyId: string; readonly epoch: number }) => () =>
      startSigning({ self: alice, presignature, digest, key });
    expect(start(info)).toThrow(RangeError);
    expect(start({ ...info, keyId: "another", epoch: 0 })).toThrow(RangeError);
    expect(start(present(oldKeys.get(alice)).info)).not.toThrow();
  });
});

describe("signers of which one missed the refresh", () => {
  const held = new Map(newKeys).set(bob, present(oldKeys.get(bob)));

  it("make no presignature, even in one session", () => {
    for (const outcome of presign(held, oldAuxiliary).values()) expect(outcome.kind).not.toBe("output");
  });

  it("INV-7 never meet, so nobody is blamed, when the session id binds what they hold", () => {
    const configs = new Map(
      [...held].map(([self, key]) => {
        const bound = sessionId({
          execution: concatBytes(session, keyDigest(key.info)),
          protocol: "presign",
          keyId: key.info.keyId,
          epoch: key.info.epoch,
          parties: parties.map((index) => ({ index, identity: insecurePeerKeys(index).identity })),
          threshold: 2,
          total: 2,
          curve: "secp256k1",
        });
        return [self, present(testConfigs(parties, bound).get(self))];
      }),
    );
    const { outcomes } = runSessions<Presignature>({
      configs,
      start: (config) => {
        const { self } = config;
        const own = { key: present(held.get(self)), auxiliary: present(oldAuxiliary.get(self)) };
        return startPresigning({ session: config.session, self, signers: parties, ...own });
      },
      seed: "missed",
    });
    for (const outcome of outcomes.values()) expect(outcome).toEqual({ kind: "running", round: 1 });
  });
});

const checkFrost = <P extends GroupPoint<P>>(scheme: Scheme<P>, verifies: Verify): void => {
  const message = new Uint8Array(32).fill(9);
  const before = insecureSchemeShares(scheme, 2, parties);
  const refreshed = outputsOf(
    runLockstep({
      starts: new Map([...before].map(([self, key]) => [self, startRefresh({ session, key })])),
    }),
  );
  const publicKey = publicKeyOf(present(before.get(alice)).info);

  it("signs under the same key", () => {
    const outcomes = runLockstep({ starts: frostStarts({ shares: refreshed, signers: parties, message }) });
    for (const signature of outputsOf(outcomes).values()) {
      expect(verifies(signature, message, publicKey)).toBe(true);
    }
  });

  it("does not sign when one signer missed the refresh, even where a caller lets them meet", () => {
    const held = new Map(refreshed).set(bob, present(before.get(bob)));
    const outcomes = runLockstep({ starts: frostStarts({ shares: held, signers: parties, message }) });
    for (const outcome of outcomes.values()) expect(outcome.kind).not.toBe("output");
  });
};

describe("a refreshed Ed25519 key", () => checkFrost(FROST_ED25519, ed25519.verify));
describe("a refreshed BIP-340 key", () => checkFrost(FROST_BIP340, schnorr.verify));
describe("a refreshed Taproot key", () => checkFrost(FROST_TAPROOT, schnorr.verify));
