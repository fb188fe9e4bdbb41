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
  isAttestedKey,
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
/**
 * Time without an answer after which a signer counts as away: one status may be lost (2 s until its timeout, 0.5 s
 * until the next).
 */
const AWAY_MS = 3_000;
/** Signers finish a key within this time of one another: a signer without a share by then gets none from that run. */
const FINISHING_MS = 3_000;
/**
 * Number of looks that yield to signers that claim to make the key for another process; after that the claim is not
 * believed.
 */
const YIELDING_LOOKS = (2 * KEY_ATTEMPT_MS) / RETRY_MS;

export interface KeyHandler {
  readonly database: Database;
  /** the networks that are served */
  readonly networks: ReadonlySet<string>;
  readonly signers: Signers;
  readonly coordinators: Pick<Coordinators, "generateKey" | "importKey">;
  /** makes a waiting gateway read the row again */
  readonly signal: (subject: string) => void;
  /** called when the signers can sign with an ECDSA key, so that presignatures are made for it */
  readonly made: (keyId: KeyId) => void;
  readonly logger: Logger;
  readonly world: World;
}

/** The parts of a held request that making its key needs. */
type Look = Pick<HeldRequest, "attempt" | "isHeld" | "lock">;

const AGAIN: Disposition = { kind: "Again", afterMs: RETRY_MS };

/**
 * The state of a key at each signer, if all of them answer; otherwise undefined. If a signer with an active share were
 * taken for one without, it would keep that share although the key is made again.
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
 * Returns the state of a key at each signer. If some signers have a share and others have none, it asks again after a
 * pause: another process may be about to finish the key, and discarding those shares would leave a key that lacks one.
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
 * Records that the key and its wallets failed, and wakes waiting callers. The client's encrypted shares are deleted
 * with it. A process that has lost the request to another one records nothing: the other may still make the key.
 */
const giveUp = async (
  handler: KeyHandler,
  id: KeyId,
  reason: Problem,
  { isHeld, lock }: Look,
): Promise<Disposition> => {
  if (!isHeld()) return AGAIN;
  const isRecorded = await handler.database.transaction(async (connection) => {
    if (!(await lock(connection))) return false;
    // an earlier look had the key made, and the gateway is about to activate it
    if (await isAttestedKey(connection, id)) return false;
    // refused if a second look settled the key meanwhile
    await changeKey(connection, id, { kind: "GenerationFailed", problem: reason });
    await deleteKeyImport(connection, id);
    return true;
  });
  if (!isRecorded) return AGAIN;
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
 * The point whose shares a Taproot key has, in hex, from the first signer that answers with one. No signature covers
 * it, and none is needed: the gateway checks that tweaking it gives the key that all signers signed.
 */
const internalKeyOf = async (signers: Signers, keyId: KeyId): Promise<string | undefined> => {
  for (const signer of signers.holders()) {
    const info = await signer.getKeyInfo(keyId);
    const decoded = info.ok ? decode(publicKeyInfoCodec(FROST_TAPROOT), info.value) : undefined;
    if (decoded?.ok === true) return Buffer.from(decoded.value.publicKey.toBytes()).toString("hex");
  }
  return undefined;
};

/** A network, of a wallet that waits for the key, that is no longer served. */
const unservedNetwork = async (
  { database, networks }: KeyHandler,
  { id }: CreatingKey,
): Promise<Network | undefined> => {
  const wallets = await listWalletsOfKey(database, id);
  return wallets.map(({ network }) => network).find((name) => hasAddresses(name) && !networks.has(name));
};

/**
 * The stored envelopes by signer: one for each holder of new keys, ascending.
 *
 * @returns undefined when they were made for another number of holders, before the roster changed
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
 * Has the signers make the key, or import the client's. Undefined when the encrypted shares are gone, or a signer does
 * not answer which share it holds; "for-others" when they were encrypted for the signers before a roster change.
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
    // an earlier run may have activated the key on a signer that is away now: only all of them together can decide that
    if (look.attempt > 1) return AGAIN;
    return giveUp(handler, keyId, problem("SignersUnavailable", { unavailable }), look);
  }
  return key.origin === "generated" ? coordinate(handler, key, look) : oneImportAtATime(handler, key, look);
};

/**
 * Imports of one organisation run one at a time, so that of two imports of one key the second sees the first, before
 * any signer activates it.
 */
const oneImportAtATime = async (handler: KeyHandler, key: CreatingKey, look: Look): Promise<Disposition> => {
  const lock = `imports of ${key.orgId}`;
  const done = await handler.database.exclusively(lock, (lost) => coordinate(handler, key, look, lost));
  return done?.value ?? AGAIN;
};

/** @param lost aborted once this process has lost the lock: then it cancels the signers' session */
const coordinate = async (
  handler: KeyHandler,
  key: CreatingKey,
  look: Look,
  lost?: AbortSignal,
): Promise<Disposition> => {
  const { id: keyId } = key;
  // the gateway renews the authorisation while the key is wanted
  if (!isCurrent(handler.world, key.authorisation)) return AGAIN;
  const coordination = await begin(handler, key, look);
  // a second look settled the key meanwhile, or a signer did not answer
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

/**
 * All signers hold an active share: hands their attestations to the gateway, which activates the key on the signers'
 * signatures alone.
 */
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
 * Looks at a due key: all signers make it, or import the client's, activate it and attest it; otherwise none keeps a
 * share. A second look continues the first.
 */
export const lookAtKey =
  (handler: KeyHandler): RequestLook =>
  async ({ id, ...look }) => {
    const key = await readKey(handler.database, keyIdSchema.parse(id));
    return key?.status === "Creating" ? makeKey(handler, key, look) : DONE;
  };
