import { type AuthorisedKeyChange, fail, ok, type Result } from "@conclave/custody";
import { EPOCH_BYTES, type KeyHolders, type PartyIndex, partiesMask } from "@conclave/threshold";
import { numberToBytesBE } from "@noble/curves/utils.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ComputeTask } from "../../compute/task.ts";
import type { CommandKind } from "../../control/command.ts";
import { isOther } from "../../control/epoch-handover.ts";
import { keyHolders } from "../../control/roster-member.ts";
import { allParties } from "../config.ts";
import { whyNotMake } from "../epoch/numbers.ts";
import type { Asked } from "../event.ts";
import { KEYS_MAX, PENDING_EPOCHS_MAX } from "../limits.ts";
import { storedKey } from "../records/key-records.ts";
import type { KeyRecord } from "../records/record.ts";
import { authorisedKeyChange } from "../session/authorise.ts";
import { begin, newSession, openInHost, refuse, whyNotBegin } from "../session/begin.ts";
import { runKey } from "../session/run-id.ts";
import { andThen, type SignerState, type SignerStep } from "../state.ts";
import { sharesPending } from "./next-share.ts";
import { infoOfShare, type PublicInfo, readPublicInfo } from "./public-info.ts";

type BeginRefresh = Asked<"key-refresh">;
type BeginReshare = Asked<"key-reshare">;
type Protocol = "key-refresh" | "key-reshare";

/** The authority's request, with the number of the new epoch. */
type Permitted = AuthorisedKeyChange & { readonly nextEpoch: number };

/** The values from which a session that makes a next epoch starts. */
interface Change {
  readonly protocol: Protocol;
  /** the current key */
  readonly info: PublicInfo;
  /** the other inputs that the parties must agree on, each of a fixed length */
  readonly agreed: readonly Uint8Array[];
  readonly task: Extract<ComputeTask, { readonly kind: "open-refresh" | "open-reshare" }>;
}

/** Begins a key refresh that the authority asks for: the next epoch of exactly this key. Every holder takes part. */
export const beginRefresh = (state: SignerState, event: BeginRefresh, nowMs: number): SignerStep =>
  beginChange(state, event, "key-refresh", nowMs, (authorised) => {
    const held = heldShare(state, authorised);
    if (!held.ok) return held;
    if (held.value === undefined) return fail("KeyUnknown");
    const { key, info } = held.value;
    const parties = keyHolders(state.config.roster);
    if (!isSame(info.parties, parties)) {
      return fail(
        "QuorumInvalid",
        {},
        "Other signers than those of the roster hold the key: it takes a reshare.",
      );
    }
    if (info.threshold !== state.config.threshold) {
      return fail("QuorumInvalid", {}, "The key has another threshold than the roster: it takes a reshare.");
    }
    const { nextEpoch } = authorised;
    const task = { kind: "open-refresh", parties, scheme: info.scheme, key: key.share, nextEpoch } as const;
    return ok({ protocol: "key-refresh", info, agreed: [], task });
  });

/**
 * Begins a reshare to the signers of the roster that stay, under the roster's threshold: t current holders deal, of
 * whom some may leave. A signer without a share of this epoch takes the key's public part from the request: the run id
 * binds it, so a signer that received a false one is in a run of its own.
 */
export const beginReshare = (state: SignerState, event: BeginReshare, nowMs: number): SignerStep =>
  beginChange(state, event, "key-reshare", nowMs, (authorised) => {
    const { config } = state;
    const held = heldShare(state, authorised);
    if (!held.ok) return held;
    const given = readPublicInfo(event.info);
    if (given === undefined || !isInfoOf(given, authorised)) {
      return fail("InvalidBody", {}, "The public info is not of the key that was authorised.");
    }
    const info = held.value?.info ?? given;
    if (bytesToHex(info.digest) !== bytesToHex(given.digest)) {
      return fail("InvalidBody", {}, "The public info is not that of this signer's share.");
    }
    const dealers = dealersOf(state, event.dealers, info);
    if (dealers === undefined) {
      return fail(
        "QuorumInvalid",
        {},
        `Exactly ${info.threshold} signers that hold the key deal, and all are in the roster.`,
      );
    }
    const receivers = keyHolders(config.roster);
    const parties = allParties(config).filter(
      (party) => dealers.includes(party) || receivers.includes(party),
    );
    if (!parties.includes(config.self))
      return fail("QuorumInvalid", {}, "This signer leaves, and does not deal.");
    const deals = dealers.includes(config.self);
    if (deals && held.value === undefined) return fail("KeyUnknown");
    const task = {
      kind: "open-reshare",
      parties,
      scheme: info.scheme,
      info: info.bytes,
      ...(deals && held.value !== undefined ? { key: held.value.key.share } : {}),
      dealers,
      receivers,
      threshold: config.threshold,
      nextEpoch: authorised.nextEpoch,
    } as const;
    const agreed = [partiesMask(dealers), partiesMask(receivers)];
    return ok({ protocol: "key-reshare", info, agreed, task });
  });

const beginChange = (
  state: SignerState,
  event: BeginRefresh | BeginReshare,
  protocol: Protocol,
  nowMs: number,
  prepare: (authorised: Permitted) => Result<Change>,
): SignerStep => {
  const { config } = state;
  const { call, session: given } = event;
  const reason = whyNotBegin(state, event, nowMs);
  if (reason !== undefined) return refuse(state, call, reason);
  const authorised = permitted(state, event, protocol, nowMs);
  if (!authorised.ok) return refuse(state, call, authorised.problem);
  const change = prepare(authorised.value);
  if (!change.ok) return refuse(state, call, change.problem);

  const { info, agreed, task } = change.value;
  const { keyId, epoch, scheme } = info;
  const { parties } = task;
  const runId = runKey(config, {
    given,
    expiresAtMs: event.expiresAtMs,
    protocol,
    keyId,
    scheme,
    epoch,
    parties,
    holders: { threshold: config.threshold, parties: keyHolders(config.roster) },
    agreed: [info.digest, numberToBytesBE(task.nextEpoch, EPOCH_BYTES), ...agreed],
    lives: event.lives,
  });
  if (!runId.ok) return refuse(state, call, runId.problem);
  const { run, attempt } = runId.value;
  const ended = task.kind === "open-reshare" ? beforeOf(info, task) : {};
  const purpose = { protocol, keyId, scheme, epoch, nextEpoch: task.nextEpoch, ...ended } as const;
  const stage = protocol === "key-refresh" ? "refresh" : "reshare";
  const session = newSession({ ...event, run, attempt, parties, purpose, stage });
  return andThen(begin(state, session, nowMs), (begun) => openInHost(begun, session, task));
};

/** The current holders, if the key gets other holders or another threshold: they hand it over (INV-4). */
const beforeOf = (
  { threshold, parties }: PublicInfo,
  task: Extract<ComputeTask, { readonly kind: "open-reshare" }>,
): { readonly before?: KeyHolders } => {
  const before = { threshold, parties };
  return isOther(before, { threshold: task.threshold, parties: task.receivers }) ? { before } : {};
};

/** The authority's request, if it fits the current cluster and no other change of the key is under way. */
const permitted = (
  state: SignerState,
  event: BeginRefresh | BeginReshare,
  protocol: Protocol,
  nowMs: number,
): Result<Permitted> => {
  const { config, sessions } = state;
  const authorised = authorisedKeyChange(config, event.authorisation, nowMs);
  if (!authorised.ok) return authorised;
  const change = authorised.value.value;
  if (change.kind !== protocol) return fail("AuthorisationInvalid", {}, `It authorises a ${change.kind}.`);
  if (change.threshold !== config.threshold || !isSame(change.parties, keyHolders(config.roster))) {
    const exact =
      "A key is dealt out to the roster as it is: another roster or threshold takes another roster file.";
    return fail("QuorumInvalid", {}, exact);
  }
  const { keyId } = change;
  const isUnderWay = [...sessions.values()].some(
    ({ purpose }) => "keyId" in purpose && purpose.keyId === keyId && isMaking(purpose.protocol),
  );
  if (isUnderWay) return fail("KeyChangePending");
  const { epoch, nextEpoch = epoch + 1 } = change;
  const pending = sharesPending(state, keyId).map((share) => share.epoch);
  const reason = whyNotMake(nextEpoch, epoch, pending, PENDING_EPOCHS_MAX);
  return reason === undefined ? ok({ ...change, nextEpoch }) : { ok: false, problem: reason };
};

const MAKING: readonly CommandKind[] = ["key-generation", "key-import", "key-refresh", "key-reshare"];

const isMaking = (protocol: CommandKind): boolean => MAKING.includes(protocol);

interface Held {
  readonly key: KeyRecord;
  readonly info: PublicInfo;
}

/** This signer's share of exactly this epoch; undefined when it has none, or only one of an earlier epoch. */
const heldShare = (state: SignerState, authorised: Permitted): Result<Held | undefined> => {
  const key = storedKey(state, authorised.keyId);
  if (key === undefined) {
    return state.keyCount + state.next.size >= KEYS_MAX ? fail("TooManySessions") : ok(undefined);
  }
  if (key.state !== "active") return fail("KeyUnknown");
  if (key.epoch > authorised.epoch) return fail("KeyEpochMismatch", { epoch: key.epoch });
  if (bytesToHex(key.publicKey) !== authorised.publicKey) {
    return fail("AuthorisationInvalid", {}, "The authorisation is for another public key.");
  }
  if (key.epoch < authorised.epoch) return ok(undefined);
  return ok({ key, info: infoOfShare(key.scheme, key.share) });
};

const isInfoOf = (info: PublicInfo, authorised: Permitted): boolean =>
  info.keyId === authorised.keyId &&
  info.epoch === authorised.epoch &&
  bytesToHex(info.publicKey) === authorised.publicKey;

/** The requested dealers, ascending, if they are members and holders of the key, and exactly `threshold` many. */
const dealersOf = (
  { config }: SignerState,
  asked: readonly number[],
  { parties, threshold }: PublicInfo,
): readonly PartyIndex[] | undefined => {
  const members = allParties(config).filter((index) => asked.includes(index) && parties.includes(index));
  return members.length === threshold && isSame(asked, members) ? members : undefined;
};

const isSame = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((index, at) => index === others[at]);
