import { type HeldKey, KEY_ATTEMPT_MS, type KeyGenerationResult } from "@conclave/cluster";
import {
  type CreatingKey,
  ERRORS,
  fail,
  hasAddresses,
  type KeyAttestation,
  type KeyId,
  keyIdSchema,
  type Network,
  ok,
  type Problem,
  problem,
  type Result,
  type World,
} from "@conclave/custody";
import {
  changeKey,
  type Database,
  deleteKeyImport,
  doneSubject,
  insertAttestedKey,
  type Logger,
  listWalletsOfKey,
  readKey,
  readKeyImport,
  readKeysByPublicKey,
} from "@conclave/platform";
import type { Coordination, Signers } from "@conclave/platform/coordination";
import { heldKey } from "@conclave/platform/grpc";
import { decode, FROST_TAPROOT, type PartyIndex, publicKeyInfoCodec } from "@conclave/threshold";
import type { Coordinators } from "../coordinators.ts";
import { isCurrent } from "../current-authorisation.ts";
import { keyMade, keyNotMade } from "../log/key-events.ts";
import { type Disposition, DONE, type HeldRequest, type RequestLook } from "../queue/disposition.ts";
import { outcomeWhileHeld } from "./while-held.ts";

const RETRY_MS = 500;
/** From when on a silent signer counts as away: one status may be lost (2 s until it is given up, 0.5 s until it is asked for again). */
const AWAY_MS = 3_000;
/** Signers finish a key within less than this of one another: a signer without a share by then gets none from that run. */
const FINISHING_MS = 3_000;
/** So many looks leave signers alone that are making the key for another process; after them it is a signer that only says so. */
const YIELDING_LOOKS = (2 * KEY_ATTEMPT_MS) / RETRY_MS;

export interface KeyHandler {
  readonly database: Database;
  /** those that are served */
  readonly networks: ReadonlySet<string>;
  readonly signers: Signers;
  readonly coordinators: Pick<Coordinators, "generateKey" | "importKey">;
  /** tells a waiting gateway to read the row again */
  readonly signal: (subject: string) => void;
  /** the signers can sign with an ECDSA key: presignatures are made for it */
  readonly made: (keyId: KeyId) => void;
  readonly logger: Logger;
  readonly world: World;
}

/** The parts of a held request that making its key needs. */
type Look = Pick<HeldRequest, "attempt" | "isHeld">;

const AGAIN: Disposition = { kind: "Again", afterMs: RETRY_MS };

/**
 * The state of a key at each signer: all of them answer, or the result is undefined. A signer that holds an active share and was taken for
 * one that holds nothing would keep that share for a key that is made a second time.
 */
const heldOf = async (
  signers: Signers,
  keyId: KeyId,
): Promise<ReadonlyMap<PartyIndex, HeldKey> | undefined> => {
  const held = new Map<PartyIndex, HeldKey>();
  const answers = await Promise.all(
    signers.holders().map(async (signer) => ({ index: signer.index, answer: await heldKey(signer, keyId) })),
  );
  for (const { index, answer } of answers) {
    if (!answer.ok) return undefined;
    const { state, publicKey } = answer.value;
    if (state !== "absent") held.set(index, { state, publicKey });
  }
  return held;
};

/**
 * Returns the state of a key at each signer. Where some signers have a share and others have none, it asks again after a pause: another process
 * may be about to end its key generation, and discarding those shares would leave a key that lacks one.
 */
const lastingHeldOf = async (
  { signers, world }: KeyHandler,
  keyId: KeyId,
): Promise<ReadonlyMap<PartyIndex, HeldKey> | undefined> => {
  const held = await heldOf(signers, keyId);
  if (held === undefined || held.size === 0 || held.size === signers.holders().length) return held;
  await world.sleep(FINISHING_MS);
  return heldOf(signers, keyId);
};

/**
 * Writes that the key and its wallets failed, and wakes who waits. The shares that a client encrypted are deleted with it. A process that
 * lost the key to another one while it waited says nothing: that one may be making it.
 */
const giveUp = async (
  handler: KeyHandler,
  id: KeyId,
  reason: Problem,
  { isHeld }: Look,
): Promise<Disposition> => {
  if (!isHeld()) return AGAIN;
  await handler.database.transaction(async (connection) => {
    // refused when it was settled meanwhile, by a second look at it
    await changeKey(connection, id, { kind: "GenerationFailed", problem: reason });
    await deleteKeyImport(connection, id);
  });
  handler.signal(doneSubject(id));
  return DONE;
};

/**
 * The attestation of the key by every signer, by index, ascending.
 * @returns KeyUnknown with the signer that holds no active share; or outage ServiceUnavailable
 */
const attestations = async (signers: Signers, keyId: KeyId): Promise<Result<readonly KeyAttestation[]>> => {
  const inOrder = signers.holders();
  const said: KeyAttestation[] = [];
  const answers = await Promise.all(inOrder.map((signer) => signer.attestKey(keyId)));
  for (const [at, answer] of answers.entries()) {
    if (!answer.ok) return fail(answer.problem.code, { signer: signers.idOf(inOrder[at]?.index ?? 0) });
    said.push(answer.value);
  }
  return ok(said);
};

/**
 * The point that the shares of a Taproot key are of, in hex, as the first signer says that says one. No signature vouches for it, and
 * none is needed: the gateway checks that it becomes the key that all signers signed.
 */
const internalKeyOf = async (signers: Signers, keyId: KeyId): Promise<string | undefined> => {
  for (const signer of signers.holders()) {
    const info = await signer.getKeyInfo(keyId);
    const decoded = info.ok ? decode(publicKeyInfoCodec(FROST_TAPROOT), info.value) : undefined;
    if (decoded?.ok === true) return Buffer.from(decoded.value.publicKey.toBytes()).toString("hex");
  }
  return undefined;
};

/** A network that a wallet waits for the key on and that is served no more. */
const unservedNetwork = async (
  { database, networks }: KeyHandler,
  { id }: CreatingKey,
): Promise<Network | undefined> => {
  const wallets = await listWalletsOfKey(database, id);
  return wallets.map(({ network }) => network).find((name) => hasAddresses(name) && !networks.has(name));
};

/**
 * Envelopes as they are kept: of every signer that holds new keys, ascending.
 *
 * @returns undefined when they were made for as many others, before the roster changed
 */
const bySigner = (
  signers: Signers,
  envelopes: readonly Uint8Array[],
): ReadonlyMap<PartyIndex, Uint8Array> | undefined => {
  const holders = signers.holders();
  if (holders.length !== envelopes.length) return undefined;
  return new Map(
    holders.flatMap(({ index }, at) => {
      const envelope = envelopes[at];
      return envelope === undefined ? [] : [[index, envelope] as const];
    }),
  );
};

/**
 * Has the signers make the key, or take in what a client encrypted for them; undefined when that is there no more, or when a
 * signer does not say what it holds of the key; "for-others" when it was encrypted for the signers of before a change of the roster.
 */
const begin = async (
  handler: KeyHandler,
  { id: keyId, orgId, origin, authorisation }: CreatingKey,
  { attempt }: Look,
): Promise<Coordination<KeyGenerationResult> | "for-others" | undefined> => {
  const { database, coordinators } = handler;
  const held = await lastingHeldOf(handler, keyId);
  if (held === undefined) return undefined;
  const request = { keyId, authorisation, held, yields: attempt <= YIELDING_LOOKS };
  if (origin === "generated") return coordinators.generateKey(request);
  const brought = await readKeyImport(database, keyId);
  if (brought === undefined) return undefined;
  const taken = await readKeysByPublicKey(database, orgId, keyId);
  const envelopes = bySigner(handler.signers, brought);
  return envelopes === undefined ? "for-others" : coordinators.importKey({ ...request, envelopes, taken });
};

const makeKey = async (handler: KeyHandler, key: CreatingKey, look: Look): Promise<Disposition> => {
  const { signers } = handler;
  const { id: keyId } = key;
  const unserved = await unservedNetwork(handler, key);
  if (unserved !== undefined) {
    return giveUp(handler, keyId, problem("NetworkNotEnabled", { network: unserved }), look);
  }
  const unavailable = await signers.awayFor(AWAY_MS);
  if (unavailable.length > 0) {
    // an earlier run may have activated the key on a signer that is away now: only all of them together can tell
    if (look.attempt > 1) return AGAIN;
    return giveUp(handler, keyId, problem("SignersUnavailable", { unavailable }), look);
  }
  return key.origin === "generated" ? coordinate(handler, key, look) : oneImportAtATime(handler, key, look);
};

/** Of two imports of one key at once, the second is to see what became of the first, before any signer activates it. */
const oneImportAtATime = async (handler: KeyHandler, key: CreatingKey, look: Look): Promise<Disposition> => {
  const lock = `imports of ${key.orgId}`;
  const done = await handler.database.exclusively(lock, (lost) => coordinate(handler, key, look, lost));
  return done?.value ?? AGAIN;
};

/** @param lost aborted once this process has lost the key: then it cancels the session of the signers */
const coordinate = async (
  handler: KeyHandler,
  key: CreatingKey,
  look: Look,
  lost?: AbortSignal,
): Promise<Disposition> => {
  const { id: keyId } = key;
  // the gateway signs it anew as long as the key is wanted
  if (!isCurrent(handler.world, key.authorisation)) return AGAIN;
  const coordination = await begin(handler, key, look);
  // settled meanwhile, by a second look at it; or a signer did not answer
  if (coordination === undefined) return AGAIN;
  if (coordination === "for-others") {
    const reason = "the signers changed after the client encrypted shares for them";
    return giveUp(handler, keyId, problem("KeyImportFailed", { reason }), look);
  }
  const outcome = await outcomeWhileHeld(coordination, lost);
  switch (outcome.kind) {
    case "done":
      return claimKey(handler, key, outcome.value.publicKey, look);
    case "failed":
      keyNotMade(handler.logger, { keyId, problem: outcome.problem });
      return giveUp(handler, keyId, outcome.problem, look);
    case "stopped":
      return AGAIN;
  }
};

/** All signers hold an active share: the gateway has the key come to be, on their word and not on ours. */
const claimKey = async (
  handler: KeyHandler,
  { id: keyId, scheme, origin }: CreatingKey,
  publicKey: Uint8Array,
  look: Look,
): Promise<Disposition> => {
  const said = await attestations(handler.signers, keyId);
  if (!said.ok && ERRORS[said.problem.code].kind === "outage") return AGAIN;
  if (!said.ok) {
    const code = origin === "imported" ? "KeyImportFailed" : "KeyGenerationFailed";
    const details = { reason: said.problem.code, ...said.problem.details };
    return giveUp(handler, keyId, problem(code, details), look);
  }
  const internalKey = scheme === "FROST-Taproot" ? await internalKeyOf(handler.signers, keyId) : undefined;
  const claim = {
    keyId,
    publicKey: Buffer.from(publicKey).toString("hex"),
    internalKey,
    attestations: said.value,
  };
  await handler.database.transaction((connection) => insertAttestedKey(connection, claim));
  if (scheme === "ECDSA") handler.made(keyId);
  keyMade(handler.logger, { keyId, scheme, origin });
  return DONE;
};

/**
 * Looks at a key that is due: all signers make the key, or take in the one that a client brings, activate it, and sign what it is; or
 * none keeps anything of it. A second look takes up what the first one left.
 */
export const lookAtKey =
  (handler: KeyHandler): RequestLook =>
  async ({ id, attempt, isHeld }) => {
    const key = await readKey(handler.database, keyIdSchema.parse(id));
    return key?.status === "Creating" ? makeKey(handler, key, { attempt, isHeld }) : DONE;
  };
