import { type Cluster, waitUntil } from "@conclave/testbed";
import type { AnyRequest, KindOfTransfer } from "@conclave/testbed/families";
import { z } from "zod";
import type { FamilyPayer } from "../integration/family-payments.ts";

const END_MS = 300_000;
const POLL_MS = 500;
const ENDS: readonly string[] = ["Confirmed", "Failed", "Rejected"];

const requestSchema = z.object({
  status: z.string(),
  reason: z.string().optional(),
  txHash: z.string().optional(),
});
/** A transfer as its owner sees it. */
export type ReadPayment = z.infer<typeof requestSchema>;

/** An accepted payment. */
export interface SentPayment {
  readonly payer: FamilyPayer;
  readonly payment: KindOfTransfer;
  readonly request: AnyRequest;
}

/**
 * Sends payments of each family, in two rounds.
 * @param times amount in multiples of the least payment; one more in the second round
 * @param isNamed whether each has an externalId, by which its client may repeat it
 */
export const sendRounds = async (
  payers: readonly FamilyPayer[],
  times: bigint,
  isNamed = false,
): Promise<readonly SentPayment[]> => {
  const sent: SentPayment[] = [];
  for (const round of [0n, 1n]) {
    for (const payer of payers) {
      const made = payer.native(times + round);
      const externalId = `${payer.network} ${times} ${round}`;
      const payment = isNamed ? { ...made, body: { ...made.body, externalId } } : made;
      sent.push({ payer, payment, request: await payer.wallet.transfer(payment.body) });
    }
  }
  return sent;
};

/** Repeats each request, as its client would. @returns the ids in the gateway's answers */
export const askAgain = (sent: readonly SentPayment[]): Promise<readonly string[]> =>
  Promise.all(
    sent.map(({ payer, payment }) =>
      waitUntil(async () => (await payer.wallet.transfer(payment.body).catch(() => undefined))?.id, {
        what: () => `the gateway takes a payment on ${payer.network} again`,
        deadlineMs: END_MS,
        pollMs: POLL_MS,
      }),
    ),
  );

/** Reads a payment; undefined while the service is unavailable. */
const read = async (
  { api }: Cluster,
  { payer: { wallet }, request }: SentPayment,
): Promise<ReadPayment | undefined> => {
  const path = `/wallets/${wallet.id}/transfers/${request.id}`;
  const answer = await api.send("GET", path).catch(() => undefined);
  return answer?.status === 200 ? requestSchema.parse(answer.body) : undefined;
};

/** Reads a payment until the condition holds. */
export const paymentUntil = (
  cluster: Cluster,
  sent: SentPayment,
  isSo: (now: ReadPayment) => boolean,
): Promise<ReadPayment> => {
  let last = "never read";
  return waitUntil(
    async () => {
      const now = await read(cluster, sent);
      if (now === undefined) return undefined;
      last = `${now.status}: ${now.reason ?? ""}`;
      return isSo(now) ? now : undefined;
    },
    {
      what: () => `${sent.payer.network} ${sent.request.id} (last seen: ${last})`,
      deadlineMs: END_MS,
      pollMs: POLL_MS,
    },
  );
};

/** Reads payments until at least this many meet the condition. */
export const someUntil = (
  cluster: Cluster,
  sent: readonly SentPayment[],
  least: number,
  isSo: (now: ReadPayment) => boolean,
): Promise<true> =>
  waitUntil(
    async () => {
      const now = await Promise.all(sent.map((each) => read(cluster, each)));
      return now.filter((each) => each !== undefined && isSo(each)).length >= least ? true : undefined;
    },
    { what: `${least} of ${sent.length} payments`, deadlineMs: END_MS, pollMs: 50 },
  );

const hasEnded = ({ status }: ReadPayment): boolean => ENDS.includes(status);

/** Waits for the end of each payment. */
export const endsOf = (cluster: Cluster, sent: readonly SentPayment[]): Promise<readonly ReadPayment[]> =>
  Promise.all(sent.map((each) => paymentUntil(cluster, each, hasEnded)));

/** Waits until payments are this old since their authorisation. */
export const untilOld = (sinceMs: number, ageMs: number): Promise<true> =>
  waitUntil(async () => (Date.now() - sinceMs > ageMs ? true : undefined), {
    what: "until the requests are late",
    deadlineMs: END_MS,
    pollMs: POLL_MS,
  });

const inWords = ({ status, reason, txHash }: ReadPayment): string => `${status}, ${reason}, ${txHash}`;

/**
 * Waits for the end of each payment.
 * @param before the end of each before the restore
 * @returns in words: payments that end differently or not at all, and receivers with a wrong amount
 */
export const differences = async (
  cluster: Cluster,
  sent: readonly SentPayment[],
  before: readonly ReadPayment[],
): Promise<readonly string[]> => {
  const after = await Promise.allSettled(sent.map((each) => paymentUntil(cluster, each, hasEnded)));
  const found = sent.flatMap(({ payer, request }, at) => {
    const [was, is] = [before[at], after[at]];
    const now = is?.status === "fulfilled" ? inWords(is.value) : `never ended: ${is?.reason}`;
    return was !== undefined && inWords(was) === now
      ? []
      : [`${payer.network} ${request.id}: ${was && inWords(was)} -> ${now}`];
  });
  for (const { payer, payment } of sent) {
    const { recipient, amount } = payment.expected;
    const has = await payer.balance(recipient);
    if (has !== amount) found.push(`${payer.network}: ${has} in the place of ${amount}`);
  }
  return found;
};
