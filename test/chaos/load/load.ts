import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Cluster, CustodyApi, type RawAnswer } from "@conclave/testbed";
import { z } from "zod";
import { type AskedLoad, type AskedTransfer, askedTransfers } from "./asked-transfer.ts";
import { seededChance } from "./chance.ts";
import type { LoadHistory, SeenStage } from "./history.ts";
import { askNow, enterApprover, guardWallets, makeLoadWallets } from "./load-wallets.ts";
import { type CalledGateway, callPersistently } from "./persistent-call.ts";
import { pollRequests, readOnceMore } from "./poller.ts";
import { type FollowedRequest, LoadRecord } from "./record.ts";
import { WebhookEar } from "./webhook-ear.ts";

const OK = 200;
const SERVER_ERROR = 500;
/** Most requests that may be unanswered; beyond that, the load skips requests and reports it. */
const UNANSWERED_MAX = 500;
const WEBHOOKS_REFUSED = 0.02;
/** The webhook receiver's seed differs, because its draws depend on when deliveries arrive. */
const EAR_SEED = 0x5eed;

export interface LoadOptions extends AskedLoad {
  /** the share of webhook deliveries answered with 500; each is repeated a minute later */
  readonly webhooksRefused?: number;
  /** URLs of the gateways; by default the cluster's first one */
  readonly gateways?: readonly string[];
  readonly onSkipped?: (number: number) => void;
}

/** A running load of transfers. */
export interface Load {
  readonly history: LoadHistory;
  /** Resolves once the request with this number, from 1, was seen at this stage; never if it does not reach it. */
  when(number: number, stage: SeenStage): Promise<void>;
  /**
   * Waits until all transfers were requested, and every accepted request has ended.
   * @throws Error at the deadline, which names the first open request
   */
  drain(deadlineMs: number): Promise<void>;
  /** Stops requests, polling and the webhook receiver; the history remains. To be called after the last check. */
  stop(): Promise<void>;
}

interface Running {
  readonly record: LoadRecord;
  readonly askers: readonly CalledGateway[];
  readonly approvers: readonly CalledGateway[];
  readonly signal: AbortSignal;
  readonly options: LoadOptions;
}

const acceptedSchema = z.object({ id: z.string(), approvalId: z.string().optional() });
const approvalSchema = z.object({ status: z.string() });

/** Votes on an approval. If an answer is lost, the vote is repeated; "it is settled" is then a right answer. */
const vote = async (running: Running, { asked }: FollowedRequest, approvalId: string): Promise<void> => {
  const { record, approvers, signal } = running;
  const path = `/v2/policy-approvals/${approvalId}`;
  const value = asked.verdict === "denied" ? "Denied" : "Approved";
  const call = { method: "POST", path: `${path}/decisions`, body: { value } };
  // a 4xx is judged below; a 500 is wrong even if a later call succeeds
  const onAnswer = (one: RawAnswer): void => {
    if (one.status === SERVER_ERROR) record.note(`POST ${call.path}`, one);
  };
  const answer = await callPersistently(approvers, call, { first: asked.number, signal, onAnswer });
  if (answer === undefined || answer.status === OK) return;
  const now = await callPersistently(approvers, { method: "GET", path }, { first: asked.number, signal });
  if (answer.calls > 1 && approvalSchema.safeParse(now?.body).data?.status === value) return;
  record.note(`POST ${call.path}`, answer);
};

const ask = async (running: Running, request: FollowedRequest): Promise<void> => {
  const { record, askers, signal } = running;
  const { asked, externalId, walletId } = request;
  const path = `/wallets/${walletId}/transfers`;
  const body = { kind: "Native", to: asked.to, amount: String(asked.amount), externalId };
  const answer = await callPersistently(
    askers,
    { method: "POST", path, body },
    {
      first: asked.number,
      signal,
      onAnswer: (one) => {
        request.calls += 1;
        record.note(`POST ${path}`, one);
      },
    },
  );
  if (answer === undefined) return;
  request.calls = answer.calls;
  const atMs = Date.now();
  if (answer.status !== OK) {
    const words = JSON.stringify(answer.body);
    request.answer = { kind: "refused", status: answer.status, words, atMs };
    record.changed();
    return;
  }
  const { id, approvalId } = acceptedSchema.parse(answer.body);
  request.answer = { kind: "accepted", id, atMs };
  request.seen.accepted = atMs;
  record.changed();
  if (approvalId !== undefined) await vote(running, request, approvalId);
};

/** Requests every transfer at its time, even if earlier ones are unanswered. @returns once all are answered */
const askAll = async (running: Running, transfers: readonly AskedTransfer[]): Promise<void> => {
  const { record, options, signal } = running;
  const calls = new Set<Promise<void>>();
  for (const asked of transfers) {
    const waitMs = record.beganAtMs + asked.atMs - Date.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const wallets = record.wallets.filter(({ network }) => network === asked.network);
    const wallet = wallets[asked.payer];
    if (wallet === undefined) throw new RangeError(`${asked.network} has no wallet ${asked.payer}`);
    if (calls.size >= UNANSWERED_MAX) {
      record.skipped += 1;
      options.onSkipped?.(asked.number);
      continue;
    }
    const call = ask(running, record.add(asked, wallet.id)).finally(() => calls.delete(call));
    calls.add(call);
  }
  await Promise.all(calls);
};

const hasEnded = ({ answer, end }: FollowedRequest): boolean =>
  answer !== undefined && (answer.kind === "refused" || end !== undefined);

const openWords = (record: LoadRecord): string => {
  const open = record.requests.filter((request) => !hasEnded(request));
  const [first] = open;
  const id = first?.answer?.kind === "accepted" ? first.answer.id : "unanswered";
  return `${open.length} of ${record.requests.length} requests have not ended, the first is number ${first?.asked.number}, ${id}`;
};

const begin = async (cluster: Cluster, options: LoadOptions) => {
  const wallets = await makeLoadWallets(cluster, options.networks, options.wallets);
  const approver = await enterApprover(cluster);
  const guarded = wallets.filter(({ isGuarded }) => isGuarded).map(({ id }) => id);
  await guardWallets(cluster, guarded, approver.userId);
  const refused = options.webhooksRefused ?? WEBHOOKS_REFUSED;
  const ear = await WebhookEar.listen(seededChance(options.seed ^ EAR_SEED), refused);
  const secretSchema = z.object({ secret: z.string() });
  const { secret } = await askNow(cluster, secretSchema, "/webhooks", { url: ear.url, events: ["*"] });
  ear.secret = secret;
  return { wallets, approver, ear };
};

/**
 * Begins a load on a healthy cluster: makes funded wallets, a policy with an approver, and a webhook. Then it requests
 * transfers at its rate (open loop), repeats unanswered requests, votes, and polls their state.
 */
export const startLoad = async (cluster: Cluster, options: LoadOptions): Promise<Load> => {
  const { description } = cluster;
  const transfers = askedTransfers(options);
  const { wallets, approver, ear } = await begin(cluster, options);
  const urls = options.gateways ?? [description.api.url];
  const { orgId } = description.developer;
  const started = { seed: options.seed, orgId, approverId: approver.userId, beganAtMs: Date.now(), wallets };
  const record = new LoadRecord(started, ear);
  const ending = new AbortController();
  // every call that waits for its repetition adds a listener, so lift Node's warning limit
  setMaxListeners(0, ending.signal);
  const askers = urls.map((url) => new CustodyApi(url, description.developer.token));
  const approvers = urls.map((url) => new CustodyApi(url, approver.token));
  const running: Running = { record, askers, approvers, signal: ending.signal, options };
  let failure: unknown;
  let hasAsked = false;
  const asking = askAll(running, transfers)
    .catch((cause: unknown) => {
      failure = cause;
    })
    .finally(() => {
      hasAsked = true;
      record.changed();
    });
  const reading = pollRequests(record, askers, ending.signal);
  return {
    history: record,
    when: (number, stage) =>
      record.until(() =>
        record.requests.some(({ asked, seen }) => asked.number === number && seen[stage] !== undefined),
      ),
    drain: async (deadlineMs) => {
      const signal = AbortSignal.timeout(deadlineMs);
      const isDone = (): boolean => hasAsked && record.requests.every(hasEnded);
      try {
        // a reorganisation may undo an end after it was seen
        do {
          await record.until(isDone, signal);
          await readOnceMore(record, askers);
        } while (!isDone());
      } catch {
        throw new Error(`after ${deadlineMs} ms, ${openWords(record)}`);
      }
      if (failure !== undefined) throw failure;
    },
    stop: async () => {
      ending.abort();
      await Promise.all([asking, reading]);
      await ear.close();
    },
  };
};
