import { setTimeout as pause } from "node:timers/promises";
import type { RawAnswer } from "@conclave/testbed";
import { z } from "zod";
import type { SeenStage } from "./history.ts";
import type { CalledGateway } from "./persistent-call.ts";
import type { FollowedRequest, LoadRecord } from "./record.ts";

const OK = 200;
const PAUSE_MS = 50;
/** The largest share of a gateway's time that polling may take; with many open requests, each is read less often. */
const READING_SHARE = 0.2;
/** Number of simultaneous reads. */
const ABREAST = 8;
/** Most recorded states per request; a state that alternates would add nothing. */
const STATES_MAX = 100;
/** Timeout of a read, as a paused gateway keeps connections open without answering. */
const ANSWER_MS = 5_000;

const transferSchema = z.object({
  id: z.string(),
  status: z.enum(["Pending", "Executing", "Broadcasted", "Confirmed", "Failed", "Rejected"]),
  reason: z.string().optional(),
  txHash: z.string().optional(),
});
/** A transfer as the API shows it. */
export type ShownTransfer = z.infer<typeof transferSchema>;

/** The stages that a shown transfer has reached. */
export const stagesOf = ({ status, txHash }: ShownTransfer): readonly SeenStage[] => {
  if (status === "Confirmed") return ["accepted", "signed", "broadcast", "confirmed"];
  if (status === "Broadcasted") return ["accepted", "signed", "broadcast"];
  return txHash === undefined ? ["accepted"] : ["accepted", "signed"];
};

/**
 * Records the current view of a request. The end is the last one seen, because a reorganisation may undo it: Confirmed becomes
 * Broadcasted again.
 */
export const noteShown = (request: FollowedRequest, shown: ShownTransfer, atMs: number): void => {
  for (const stage of stagesOf(shown)) request.seen[stage] ??= atMs;
  const { status, reason, txHash } = shown;
  const words = reason === undefined ? status : `${status}: ${reason}`;
  if (request.states.at(-1)?.words !== words && request.states.length < STATES_MAX)
    request.states.push({ words, atMs });
  const hasEnded = status === "Confirmed" || status === "Failed" || status === "Rejected";
  request.end = hasEnded ? { status, reason, txHash, atMs } : undefined;
};

const answerBy = async (gateway: CalledGateway, path: string): Promise<RawAnswer | undefined> => {
  const giveUp = new AbortController();
  try {
    const late = pause(ANSWER_MS, undefined, { signal: giveUp.signal });
    return await Promise.race([gateway.send("GET", path), late]);
  } catch {
    // the gateway is unavailable or died while answering; a later round asks again
    return undefined;
  } finally {
    giveUp.abort();
  }
};

/** A gateway's view of a request. Wrong answers are recorded: that the transfer does not exist, or another transfer. */
const shownBy = async (
  record: LoadRecord,
  gateway: CalledGateway,
  { answer: accepted, walletId }: FollowedRequest,
): Promise<ShownTransfer | undefined> => {
  if (accepted?.kind !== "accepted") return undefined;
  const path = `/wallets/${walletId}/transfers/${accepted.id}`;
  const answer = await answerBy(gateway, path);
  if (answer === undefined) return undefined;
  record.note(`GET ${path}`, answer);
  if (answer.status !== OK) return undefined;
  const { data } = transferSchema.safeParse(answer.body);
  if (data?.id === accepted.id) return data;
  record.noteWrong(`GET ${path}`, answer);
  return undefined;
};

/** Reads all accepted requests that have not ended, repeatedly, until the signal ends it. */
export const pollRequests = async (
  record: LoadRecord,
  gateways: readonly CalledGateway[],
  signal: AbortSignal,
): Promise<void> => {
  for (let round = 0; !signal.aborted; round += 1) {
    const began = performance.now();
    const open = record.requests.filter(
      ({ answer, end }) => answer?.kind === "accepted" && end === undefined,
    );
    const next = open.values();
    const read = async (): Promise<void> => {
      for (const request of next) {
        const gateway = gateways[(round + request.asked.number) % gateways.length];
        const shown = gateway && (await shownBy(record, gateway, request));
        if (shown !== undefined) noteShown(request, shown, Date.now());
        if (signal.aborted) return;
      }
    };
    await Promise.all(Array.from({ length: ABREAST }, read));
    record.changed();
    const readMs = performance.now() - began;
    const pauseMs = Math.max(PAUSE_MS, (readMs * (1 - READING_SHARE)) / READING_SHARE);
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};

/** Reads every accepted request once more, because a reorganisation may have undone an end. */
export const readOnceMore = async (record: LoadRecord, gateways: readonly CalledGateway[]): Promise<void> => {
  const [gateway] = gateways;
  for (const request of record.requests) {
    const shown = gateway && (await shownBy(record, gateway, request));
    if (shown !== undefined) noteShown(request, shown, request.end?.atMs ?? Date.now());
  }
};
