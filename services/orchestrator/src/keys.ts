import type { Chain } from "@conclave/chains/node";
import type { HeldKey, KeyGenerationResult } from "@conclave/cluster";
import {
  type CreatingKey,
  fail,
  hasAddresses,
  type KeyEvent,
  type KeyId,
  keyIdSchema,
  type Network,
  ok,
  problem,
  type Result,
} from "@conclave/custody";
import {
  type Connection,
  changeKey,
  type Database,
  type Delivery,
  type Disposition,
  deleteKeyImport,
  doneSubject,
  type Logger,
  listWalletsOfKey,
  lockKey,
  lockOrganisation,
  readKey,
  readKeyByPublicKey,
  readKeyImport,
  readKeysByPublicKey,
} from "@conclave/platform";
import type { Coordination, Signers } from "@conclave/platform/coordination";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { z } from "zod";
import type { Coordinators } from "./coordinators.ts";

const RETRY_MS = 500;

const messageSchema = z.object({ keyId: keyIdSchema });

export interface KeyHandler {
  readonly database: Database;
  readonly chains: ReadonlyMap<string, Chain>;
  readonly signers: Signers;
  readonly coordinators: Pick<Coordinators, "generateKey" | "importKey">;
  /** tells a waiting gateway to read the row again */
  readonly signal: (subject: string) => void;
  /** an ECDSA key is ready to sign with: presignatures are made for it */
  readonly created: (keyId: KeyId) => void;
  readonly logger: Logger;
}

const DONE: Disposition = { kind: "Done" };
const AGAIN: Disposition = { kind: "Again", afterMs: RETRY_MS };

/** What each signer that answers holds of a key. Asked afresh: a status of a moment ago may be from before a run. */
const heldOf = async (signers: Signers, keyId: KeyId): Promise<ReadonlyMap<PartyIndex, HeldKey>> => {
  const held = new Map<PartyIndex, HeldKey>();
  const answers = await Promise.all(
    signers.all().map(async (signer) => ({ index: signer.index, status: await signer.getStatus("all") })),
  );
  for (const { index, status } of answers) {
    const key = status.ok ? status.value.keys.find((entry) => entry.keyId === keyId) : undefined;
    if (key?.state === "pending" || key?.state === "active") {
      held.set(index, { state: key.state, publicKey: key.publicKey });
    }
  }
  return held;
};

/**
 * Writes the new state of the key and its wallets with their events, and wakes the gateway (INV-6). What a client encrypted
 * is forgotten with it.
 * @returns whether the key came to be by it
 */
const settle = async (handler: KeyHandler, id: KeyId, event: KeyEvent): Promise<boolean> => {
  const decided = await handler.database.transaction(async (connection) => {
    // refused when it was settled meanwhile, by a second delivery of the message
    const decision = await changeKey(connection, id, await unlessDuplicate(connection, id, event));
    await deleteKeyImport(connection, id);
    return decision;
  });
  handler.signal(doneSubject(id));
  return decided.ok && decided.value.key.status === "Active";
};

/**
 * A key that a client brings a second time fails: two keys of one address would give out the same account nonces. As a
 * rule it is found out before the signers activate it; of two imports at once, the second is found out here.
 */
const unlessDuplicate = async (connection: Connection, id: KeyId, event: KeyEvent): Promise<KeyEvent> => {
  if (event.kind !== "Activated") return event;
  const key = await lockKey(connection, id);
  if (key?.origin !== "imported") return event;
  await lockOrganisation(connection, key.orgId);
  const duplicate = await readKeyByPublicKey(connection, key.orgId, event.publicKey);
  if (duplicate === undefined || duplicate.id === id) return event;
  const reason = problem("KeyImportDuplicate", { duplicate: { id: duplicate.id } });
  return { kind: "GenerationFailed", problem: reason };
};

/** The chains of the wallets that wait for the key; NetworkNotEnabled when one of them is served no more. */
const chainsOf = async (
  { database, chains }: KeyHandler,
  key: CreatingKey,
): Promise<Result<ReadonlyMap<Network, Chain>>> => {
  const found = new Map<Network, Chain>();
  for (const { network } of await listWalletsOfKey(database, key.id)) {
    const chain = chains.get(network);
    if (chain !== undefined) found.set(network, chain);
    else if (hasAddresses(network)) return fail("NetworkNotEnabled", { network });
  }
  return ok(found);
};

/** Envelopes as they are kept: of every signer of the roster, whose indices are 1, 2, 3 and so on. */
const byIndex = (envelopes: readonly Uint8Array[]): ReadonlyMap<PartyIndex, Uint8Array> =>
  new Map(
    envelopes.map((envelope, at) => {
      const index = partyIndex(at + 1);
      if (index === undefined) throw new Error(`there is no signer ${at + 1}`);
      return [index, envelope];
    }),
  );

/** Has the signers make the key, or take in what a client encrypted for them; undefined when that is there no more. */
const begin = async (
  { database, signers, coordinators }: KeyHandler,
  { id: keyId, orgId, origin, authorisation }: CreatingKey,
): Promise<Coordination<KeyGenerationResult> | undefined> => {
  const request = { keyId, authorisation, held: await heldOf(signers, keyId) };
  if (origin === "generated") return coordinators.generateKey(request);
  const brought = await readKeyImport(database, keyId);
  if (brought === undefined) return undefined;
  const taken = await readKeysByPublicKey(database, orgId);
  return coordinators.importKey({ ...request, envelopes: byIndex(brought), taken });
};

const makeKey = async (handler: KeyHandler, key: CreatingKey, attempt: number): Promise<Disposition> => {
  const { signers, logger } = handler;
  const { id: keyId } = key;
  const chains = await chainsOf(handler, key);
  if (!chains.ok) {
    await settle(handler, keyId, { kind: "GenerationFailed", problem: chains.problem });
    return DONE;
  }
  const unavailable = signers.unavailable();
  if (unavailable.length > 0) {
    // an earlier run may have activated the key on a signer that is away now: only all of them together can tell
    if (attempt > 1) return AGAIN;
    const reason = problem("SignersUnavailable", { unavailable });
    await settle(handler, keyId, { kind: "GenerationFailed", problem: reason });
    return DONE;
  }
  const coordination = await begin(handler, key);
  // settled meanwhile, by a second delivery of the message
  if (coordination === undefined) return AGAIN;
  const outcome = await coordination.outcome;
  switch (outcome.kind) {
    case "done": {
      const { publicKey } = outcome.value;
      const isMade = await settle(handler, keyId, {
        kind: "Activated",
        publicKey: Buffer.from(publicKey).toString("hex"),
        addresses: new Map(
          [...chains.value].map(([network, chain]) => [network, chain.addressOf(publicKey)]),
        ),
        date: new Date().toISOString(),
      });
      if (isMade && key.scheme === "ECDSA") handler.created(keyId);
      if (isMade) logger.info({ keyId, scheme: key.scheme, origin: key.origin }, "key created");
      return DONE;
    }
    case "failed":
      logger.warn({ keyId, problem: outcome.problem }, "key generation failed");
      await settle(handler, keyId, { kind: "GenerationFailed", problem: outcome.problem });
      return DONE;
    case "stopped":
      return AGAIN;
  }
};

/**
 * What the consumer of key requests does with a message: all signers make the key, or take in the one that a client
 * brings, and activate it, or none keeps anything of it. A second delivery takes up what the first one left.
 */
export const handleKey =
  (handler: KeyHandler) =>
  async ({ data, attempt }: Delivery): Promise<Disposition> => {
    const message = messageSchema.safeParse(data);
    if (!message.success) {
      handler.logger.error({ issues: message.error.issues }, "a key request cannot be read");
      return DONE;
    }
    const key = await readKey(handler.database, message.data.keyId);
    return key?.status === "Creating" ? makeKey(handler, key, attempt) : DONE;
  };
