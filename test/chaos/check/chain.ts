import { accountName, type LandedFact } from "../facts/cluster-facts.ts";
import type { LoadWallet } from "../load/history.ts";
import { type Check, type Finding, type Judged, repeatedIn } from "./finding.ts";
import { type AcceptedRequest, acceptedOf } from "./requests.ts";

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const landedOf = ({ facts }: Judged, { id }: AcceptedRequest): LandedFact | undefined => {
  const landed = facts.chain.landed.get(id);
  return typeof landed === "string" ? undefined : landed;
};

const confirmedOf = (judged: Judged): readonly AcceptedRequest[] =>
  acceptedOf(judged).filter(({ row }) => row?.status === "Confirmed");

/**
 * Requests that the chain executed: confirmed, or failed there. A failed one used its place and paid its fee, and has no other
 * effect.
 */
const carriedOut = (judged: Judged): readonly AcceptedRequest[] =>
  acceptedOf(judged).filter(
    (accepted) => accepted.row?.status === "Confirmed" || landedOf(judged, accepted)?.amount === 0n,
  );

/** INV-4: each confirmed request is on its chain, under its own hash; INV-3: it does what was asked, and its wallet signed it. */
export const checkLanded: Check = (judged) => {
  const { facts, history } = judged;
  const confirmed = confirmedOf(judged);
  const hashes = repeatedIn(confirmed.flatMap(({ row }) => (row?.txHash === undefined ? [] : [row.txHash])));
  return [
    ...hashes.map(
      (hash): Finding => ({ invariant: "INV-4", words: `two requests are confirmed by ${hash}` }),
    ),
    ...confirmed.flatMap((accepted): readonly Finding[] => {
      const { id, request } = accepted;
      const landed = landedOf(judged, accepted);
      if (landed === undefined) {
        const words = `it is confirmed, and the chain does not have it: ${facts.chain.landed.get(id) ?? "no hash"}`;
        return [{ invariant: "INV-4", words, requestId: id }];
      }
      const wallet = history.wallets.find((one) => one.id === request.walletId);
      const { to, amount } = request.asked;
      const problems = [
        ...(isSame(landed.recipient, to) ? [] : [`it pays ${landed.recipient} instead of ${to}`]),
        ...(landed.amount === amount ? [] : [`it pays ${landed.amount} instead of ${amount}`]),
        ...(isSame(landed.sender, wallet?.address ?? "") ? [] : [`it is of ${landed.sender}`]),
        ...(landed.isSigned ? [] : ["the chain's own library does not take its signature"]),
      ];
      return problems.map((words): Finding => ({ invariant: "INV-3", words, requestId: id }));
    }),
  ];
};

/** INV-4: a failed or rejected request has moved nothing. */
export const checkUnlanded: Check = (judged) =>
  acceptedOf(judged).flatMap((accepted): readonly Finding[] => {
    const { id, row } = accepted;
    const landed = landedOf(judged, accepted);
    if (row === undefined || row.status === "Confirmed" || landed === undefined || landed.amount === 0n)
      return [];
    return [
      { invariant: "INV-4", words: `it is ${row.status}, and the chain has ${row.txHash}`, requestId: id },
    ];
  });

/** INV-4: each receiver has exactly the sum of the transfers confirmed for it. */
export const checkReceivers: Check = (judged) => {
  const wanted = new Map<string, bigint>();
  for (const { asked } of judged.history.requests) wanted.set(accountName(asked.network, asked.to), 0n);
  for (const { request } of confirmedOf(judged)) {
    const name = accountName(request.asked.network, request.asked.to);
    wanted.set(name, (wanted.get(name) ?? 0n) + request.asked.amount);
  }
  return [...wanted].flatMap(([name, sum]): readonly Finding[] => {
    const balance = judged.facts.chain.balances.get(name);
    if (balance === sum) return [];
    const words = `${name} holds ${balance ?? "nobody knows what"}, and ${sum} was confirmed for it`;
    return [{ invariant: "INV-4", words }];
  });
};

/**
 * INV-4: each wallet holds its funding less the landed transfers and their fees. Every transaction costs a fee, so this detects
 * any other transaction on any chain.
 */
export const checkWalletBalances: Check = (judged) => {
  const carried = carriedOut(judged);
  return judged.history.wallets.flatMap(({ id, network, address, funded }): readonly Finding[] => {
    const own = carried.filter(({ request }) => request.walletId === id);
    const spent = own.reduce((sum, accepted) => {
      const landed = landedOf(judged, accepted);
      return sum + (landed === undefined ? 0n : landed.amount + landed.fee);
    }, 0n);
    const balance = judged.facts.chain.balances.get(accountName(network, address));
    if (balance === funded - spent) return [];
    const words = `wallet ${id} on ${network} holds ${balance}, and by its transfers ${funded - spent}`;
    return [{ invariant: "INV-4", words }];
  });
};

const judgeCounts = (judged: Judged, wallet: LoadWallet): readonly Finding[] => {
  const own = carriedOut(judged).filter(({ request }) => request.walletId === wallet.id);
  const places = own.flatMap(({ row }) => (row?.sequence === undefined ? [] : [row.sequence]));
  const sorted = [...places].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const hole = sorted.find((place, at) => at > 0 && place !== (sorted[at - 1] ?? 0n) + 1n);
  const found = (words: string): Finding => ({ invariant: "INV-4", words: `wallet ${wallet.id}: ${words}` });
  const sent = judged.facts.chain.sent.get(wallet.id);
  if (sent === undefined)
    return hole === undefined ? [] : [found(`the place before or at ${hole} is not used once`)];
  const hashes = new Set(own.map(({ row }) => row?.txHash));
  const isFromZero = sorted.length === 0 || sorted[0] === 0n;
  return [
    ...(places.length === own.length ? [] : [found(`${own.length - places.length} have no place on record`)]),
    ...(hole === undefined ? [] : [found(`the place before or at ${hole} is not used once`)]),
    ...(isFromZero ? [] : [found(`its first place is ${sorted[0]}`)]),
    ...sent
      .filter((hash) => !hashes.has(hash))
      .map((hash) => found(`nothing that was carried out asked for ${hash}`)),
    ...(sent.length === own.length
      ? []
      : [found(`it sent ${sent.length}, and ${own.length} are carried out`)]),
  ];
};

/**
 * INV-4: accounts use their places without gaps, and where a node lists an account's transactions, each of them was requested.
 */
export const checkAccountCounts: Check = (judged) =>
  judged.history.wallets.flatMap((wallet) => judgeCounts(judged, wallet));
