import {
  CGGMP24,
  ENVELOPE_KIND,
  type Envelope,
  encode,
  type KeyHolders,
  type KeyShare,
  keyDigest,
  keyShareCodec,
  NO_MATERIAL,
  type PartyIndex,
  partyIndex,
  publicKeyOf,
  Secret,
  SIGNING_ROUND,
} from "@conclave/threshold";
import { insecureKeyShares } from "@conclave/threshold/testing";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { ChangeOutput } from "../compute/key-change/task.ts";
import type { ComputeResult, ComputeTask } from "../compute/task.ts";
import type { SessionKey } from "../control/session-key.ts";
import { infoOfShare, type PublicInfo, readPublicInfo } from "../signer/key-change/public-info.ts";
import type { Engine } from "./engine.ts";

type Goal = "auxiliary" | "key" | "key-change" | "presigned" | "signature" | "frost";

interface TinyRun {
  readonly parties: readonly PartyIndex[];
  readonly name: string;
  /** threshold of a new key */
  readonly threshold: number;
  goal: Goal;
  readonly heard: Map<number, Map<number, Uint8Array>>;
  payload: Uint8Array;
}

const nameOf = (
  info: Pick<PublicInfo, "keyId"> | undefined,
  { threshold, parties }: KeyHolders,
  nextEpoch: number,
): string => {
  if (info === undefined) throw new Error("no public info");
  return [info.keyId, nextEpoch, threshold, parties.join(".")].join("/");
};

/** A share of a key, derived from the key's id. */
const newShare = (
  self: PartyIndex,
  { name, parties, threshold }: Pick<TinyRun, "name" | "parties" | "threshold">,
): KeyShare => {
  const dealt = insecureKeyShares(threshold, parties, name).get(self);
  if (dealt === undefined) throw new Error("every party has a share");
  return { ...dealt, info: { ...dealt.info, keyId: name, epoch: 1 } };
};

/** The share of the provisioned key under the next epoch, for parties that will hold it. */
const nextShare = (self: PartyIndex, name: string): ChangeOutput => {
  const [keyId = "", epoch, threshold, holders = ""] = name.split("/");
  const parties = holders.split(".").flatMap((party) => partyIndex(Number(party)) ?? []);
  const shares = insecureKeyShares(Number(threshold), parties, "cluster");
  const dealt = shares.get(self);
  const [first] = shares.values();
  if (first === undefined) throw new Error("somebody has a share");
  const info = { ...first.info, keyId, epoch: Number(epoch) };
  const made = { keyId, epoch: info.epoch, digest: keyDigest(info) };
  if (dealt === undefined) return { kind: "dealer-released", ...made };
  const share = new Secret(encode(keyShareCodec(CGGMP24), { ...dealt, info }));
  const { chainCode } = info;
  return { kind: "key-changed", share, ...made, publicKey: publicKeyOf(info), chainCode };
};

/**
 * Not cryptography: every protocol is one message to all parties, and ends when all messages have arrived. For tests in
 * which only the order of effects matters.
 */
export const tinyEngine = (self: PartyIndex): Engine => new TinyEngine(self);

class TinyEngine implements Engine {
  readonly #self: PartyIndex;
  readonly #runs = new Map<SessionKey, TinyRun>();

  constructor(self: PartyIndex) {
    this.#self = self;
  }

  #say(session: SessionKey, round: number, payload: Uint8Array): Envelope {
    return {
      session: hexToBytes(session),
      round,
      kind: ENVELOPE_KIND.broadcast,
      from: this.#self,
      to: 0,
      payload,
      signature: new Uint8Array(64),
    };
  }

  #open(
    session: SessionKey,
    parties: readonly PartyIndex[],
    goal: Goal,
    name: string,
    threshold = 2,
  ): ComputeResult {
    if (this.#runs.has(session)) throw new Error("opened twice");
    const payload = utf8ToBytes(goal);
    this.#runs.set(session, { parties, name, threshold, goal, heard: new Map(), payload });
    return this.#settle(session, [this.#say(session, 1, payload)]);
  }

  #settle(session: SessionKey, send: readonly Envelope[]): ComputeResult {
    const run = this.#runs.get(session);
    if (run === undefined) return { kind: "abort", check: "not open" };
    const round = run.goal === "signature" ? SIGNING_ROUND : 1;
    const others = run.parties.filter((party) => party !== this.#self);
    const heard = run.heard.get(round);
    const awaiting = others.filter((party) => heard?.has(party) !== true);
    if (awaiting.length > 0)
      return { kind: "running", stage: `${run.goal}/${round}`, send, awaiting, phase: 2 * round };
    return this.#finish(run, send);
  }

  #finish(run: TinyRun, send: readonly Envelope[]): ComputeResult {
    switch (run.goal) {
      case "auxiliary": {
        const digest = sha256(utf8ToBytes(run.name));
        const checksum = sha256(digest);
        const made = { info: new Secret(digest), checksum, epoch: Number(run.name), digest };
        return { kind: "auxiliary", ...made, send };
      }
      case "key": {
        const share = new Secret(encode(keyShareCodec(CGGMP24), newShare(this.#self, run)));
        const { publicKey, chainCode } = newShare(this.#self, run).info;
        return { kind: "key", share, keyId: run.name, publicKey: publicKey.toBytes(), chainCode, send };
      }
      case "key-change":
        return { ...nextShare(this.#self, run.name), send };
      case "presigned":
        return { kind: "presigned", send };
      case "signature":
        return this.#signatureOf(run, send);
      case "frost":
        return { kind: "frost-signature", signature: concatBytes(run.payload, run.payload), send };
    }
  }

  #signatureOf(run: TinyRun, send: readonly Envelope[]): ComputeResult {
    const digest = bytesToHex(run.payload);
    for (const [from, payload] of run.heard.get(SIGNING_ROUND) ?? []) {
      const culprit = run.parties.find((party) => party === from);
      if (culprit !== undefined && bytesToHex(payload) !== digest) {
        return {
          kind: "fault",
          fault: { culprit, check: "tiny sigma", messages: [], material: NO_MATERIAL },
          send: [],
        };
      }
    }
    return { kind: "signature", signature: { r: BigInt(`0x${digest}`), s: 1n, recovery: 0 }, send };
  }

  #openSigning(session: SessionKey, digest: Uint8Array): ComputeResult {
    const run = this.#runs.get(session);
    if (run?.goal !== "presigned") throw new Error("not presigned, or signed before");
    run.goal = "signature";
    run.payload = digest;
    return this.#settle(session, [this.#say(session, SIGNING_ROUND, digest)]);
  }

  /** "Secret" bytes with everything of a tiny presignature: the session that made it, and its signers. */
  #exportPresignature(session: SessionKey): ComputeResult {
    const run = this.#runs.get(session);
    if (run?.goal !== "presigned") throw new Error("not presigned, or exported before");
    this.#runs.delete(session);
    const presignature = new Secret(concatBytes(hexToBytes(session), Uint8Array.from(run.parties)));
    return { kind: "presignature", id: bytesToHex(sha256(hexToBytes(session))), presignature };
  }

  #openPooledSigning(
    session: SessionKey,
    { id, presignature, digest }: Extract<ComputeTask, { readonly kind: "open-pooled-signing" }>,
  ): ComputeResult {
    if (this.#runs.has(session)) throw new Error("opened twice");
    const bytes = presignature.reveal();
    if (bytesToHex(sha256(bytes.slice(0, 32))) !== id) throw new Error("another presignature");
    const parties = [...bytes.slice(32)].flatMap((party) => partyIndex(party) ?? []);
    this.#runs.set(session, {
      parties,
      name: "",
      threshold: 2,
      goal: "signature",
      heard: new Map(),
      payload: digest.bytes,
    });
    return this.#settle(session, [this.#say(session, SIGNING_ROUND, digest.bytes)]);
  }

  #deliver(session: SessionKey, { round, from, payload }: Envelope): ComputeResult {
    const run = this.#runs.get(session);
    if (run === undefined) return { kind: "abort", check: "not open" };
    const heard = run.heard.get(round) ?? new Map<number, Uint8Array>();
    const isNew = !heard.has(from);
    run.heard.set(round, heard.set(from, payload));
    const isPresigned = run.goal === "presigned" && round === SIGNING_ROUND;
    if (!isNew || isPresigned) {
      return { kind: "running", stage: `${run.goal}/held`, send: [], awaiting: [], phase: 0 };
    }
    return this.#settle(session, []);
  }

  compute(session: SessionKey, task: ComputeTask): ComputeResult {
    switch (task.kind) {
      case "open-auxiliary":
        return this.#open(session, task.parties, "auxiliary", String(task.epoch));
      case "open-key":
      case "open-import":
        return this.#open(session, task.parties, "key", task.keyId, task.threshold);
      case "seal-export":
        return { kind: "exported", envelope: Uint8Array.of(this.#self), publicKey: new Uint8Array(33) };
      case "open-refresh": {
        const info = infoOfShare(task.scheme, task.key);
        return this.#open(session, task.parties, "key-change", nameOf(info, info, task.nextEpoch));
      }
      case "open-reshare":
        return this.#open(
          session,
          task.parties,
          "key-change",
          nameOf(
            readPublicInfo(task.info),
            { threshold: task.threshold, parties: task.receivers },
            task.nextEpoch,
          ),
        );
      case "open-presigning":
        return this.#open(session, task.signers, "presigned", "");
      case "open-signing":
        return this.#openSigning(session, task.digest);
      case "export-presignature":
        return this.#exportPresignature(session);
      case "open-pooled-signing":
        return this.#openPooledSigning(session, task);
      case "open-frost":
        return this.#open(session, task.signers, "frost", bytesToHex(task.message));
      case "deliver":
        return this.#deliver(session, task.envelope);
    }
  }

  drop(session: SessionKey): void {
    this.#runs.delete(session);
  }
}
