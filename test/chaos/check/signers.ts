import type { RowFact, SignerFacts } from "../facts/cluster-facts.ts";
import { nonceUses } from "../facts/nonces.ts";
import type { Check, Finding, Judged } from "./finding.ts";

const spendings = (signers: readonly SignerFacts[]) =>
  signers.flatMap(({ index, spent }) => spent.map((one) => ({ ...one, index })));

/** INV-2: all signers spent a presignature on the same digest, and no store still has it. */
export const checkTombstones: Check = ({ facts: { signers } }) => {
  const first = new Map<string, { readonly digest: string; readonly index: number }>();
  const conflicts = spendings(signers).flatMap(({ id, digest, index, requestId }): readonly Finding[] => {
    const known = first.get(id);
    if (known === undefined) first.set(id, { digest, index });
    if (known === undefined || known.digest === digest) return [];
    const words = `signers ${known.index} and ${index} spent presignature ${id} on two digests`;
    return [{ invariant: "INV-2", words, requestId }];
  });
  const kept = signers.flatMap(({ index, presignatures }) =>
    presignatures.map((id): Finding => {
      return { invariant: "INV-2", words: `the store of signer ${index} has presignature ${id}` };
    }),
  );
  return [...conflicts, ...kept];
};

/** The signatures made for a request, on record or on its chain, identified by their nonces. */
const signaturesOf = ({ facts }: Judged, { id, signed }: RowFact, network: string): ReadonlySet<string> => {
  const landed = facts.chain.landed.get(id);
  const all = typeof landed === "object" ? [...signed, landed.signed] : signed;
  return new Set(all.flatMap((hex) => nonceUses(network, hex).map(({ nonce }) => nonce)));
};

/**
 * Requests with more signatures than presignatures with t tombstones for them: a partial signature left its signer without a
 * tombstone. This holds for every outcome, since failed and dead transactions were signed too.
 */
const unburied = (judged: Judged, threshold: number): readonly Finding[] => {
  const { facts, history } = judged;
  const all = spendings(facts.signers);
  const ecdsa = new Set(facts.keys.filter(({ isEcdsa }) => isEcdsa).map(({ keyId }) => keyId));
  const wallets = new Map(
    history.wallets.filter(({ keyId }) => ecdsa.has(keyId)).map((one) => [one.id, one]),
  );
  return facts.database.rows.flatMap((row): readonly Finding[] => {
    const wallet = wallets.get(row.walletId);
    const signatures = wallet === undefined ? 0 : signaturesOf(judged, row, wallet.network).size;
    const own = all.filter(({ requestId }) => requestId === row.id);
    const signersOf = (spent: string): number =>
      new Set(own.filter(({ id }) => id === spent).map(({ index }) => index)).size;
    const counts = [...new Set(own.map(({ id }) => id))].map(signersOf);
    const buried = counts.filter((count) => count >= threshold).length;
    if (buried >= signatures) return [];
    const words = `${signatures} signatures were made for it, and ${buried} presignatures are spent at ${threshold} signers`;
    return [{ invariant: "INV-2", words, requestId: row.id }];
  });
};

/**
 * INV-2: each signature from a presignature has tombstones at t signers or more. FROST's nonces are only in memory, and leave
 * none.
 */
export const checkBuried =
  (threshold: number): Check =>
  (judged) =>
    unburied(judged, threshold);

/** INV-2: no nonce is used for two messages, in all transactions on a chain or on record. */
export const checkNonces: Check = ({ facts, history }) => {
  const networks = new Map(history.wallets.map(({ id, network }) => [id, network]));
  const first = new Map<string, { readonly message: string; readonly id: string }>();
  return facts.database.rows.flatMap(({ id, walletId, signed }): readonly Finding[] => {
    const network = networks.get(walletId);
    const landed = facts.chain.landed.get(id);
    const all = new Set([
      ...signed,
      ...(landed === undefined || typeof landed === "string" ? [] : [landed.signed]),
    ]);
    if (network === undefined) return [];
    return [...all].flatMap((hex) => {
      const uses = nonceUses(network, hex);
      // otherwise a transaction in an unknown form would always pass
      if (uses.length === 0)
        return [{ invariant: "INV-2", words: "nobody can read its signature", requestId: id }];
      return uses.flatMap(({ nonce, message }): readonly Finding[] => {
        const known = first.get(nonce);
        if (known === undefined) first.set(nonce, { message, id });
        if (known === undefined || known.message === message) return [];
        return [{ invariant: "INV-2", words: `one nonce signed it and ${known.id}`, requestId: id }];
      });
    });
  });
};

/**
 * Fewest forgotten presignatures of which a signer must hear: it may have died before it sent the last one's partial signature.
 */
const FORGOTTEN_MIN = 2;

/**
 * INV-2: a signer with an older copy of its store hears from its peers that it spent more, provided that no other fault
 * happened; no other signer hears this.
 */
export const checkOldCopies: Check = ({ facts: { signers, oldCopies }, expected }) => [
  ...oldCopies
    .filter(({ by }) => !expected.changedStores.includes(by))
    .map(({ by, held, signed }): Finding => {
      const words = `signer ${by} says that its store is an old copy, ${held} spent of ${signed}, and nobody changed it`;
      return { invariant: "INV-2", words };
    }),
  ...signers
    .filter(({ index, forgotten }) => {
      const mustHear = expected.reportedOldCopies.includes(index) && forgotten.length >= FORGOTTEN_MIN;
      return mustHear && !oldCopies.some(({ by }) => by === index);
    })
    .map(({ index, forgotten: { length } }): Finding => {
      const words = `signer ${index} has forgotten ${length} presignatures that it spent, and does not say that its store is an old copy`;
      return { invariant: "INV-2", words };
    }),
];

/** INV-1: a signer holds only its own share of a key, and no whole key is stored anywhere. */
export const checkShares: Check = ({ facts: { signers, keys, leaks } }) => [
  ...signers.flatMap(({ index, shares }) =>
    shares
      .filter(({ party }) => party !== index)
      .map(({ keyId, party }): Finding => {
        return { invariant: "INV-1", words: `signer ${index} has the share of ${keyId} of signer ${party}` };
      }),
  ),
  ...keys
    .filter(({ isOne }) => !isOne)
    .map(({ keyId }): Finding => ({ invariant: "INV-1", words: `the shares of ${keyId} are of two keys` })),
  ...leaks
    .filter(({ isKey }) => isKey)
    .map(({ secret, places }): Finding => {
      return { invariant: "INV-1", words: `${secret} stands whole in ${places.join(", ")}` };
    }),
];

/**
 * INV-5: a signer's store holds the keys that the signer reports, and each key of the load is in a store: otherwise it would be
 * lost with the process.
 */
export const checkStores: Check = ({ facts: { signers, keys }, history }) => {
  const found = (words: string): Finding => ({ invariant: "INV-5", words });
  const known = new Set(keys.map(({ keyId }) => keyId));
  return [
    ...(signers.length === 0 ? [found("no signer was read")] : []),
    ...signers.flatMap(({ index, holdings = [], shares }) =>
      holdings
        .filter(({ keyId }) => !shares.some((share) => share.keyId === keyId))
        .map(({ keyId }) => found(`signer ${index} says that it holds ${keyId}, and its store does not`)),
    ),
    ...history.wallets
      .filter(({ keyId }) => !known.has(keyId))
      .map(({ id, keyId }) => found(`no store has ${keyId}, the key of wallet ${id}`)),
  ];
};

/** INV-5: every signer answers, and holds every key of the load, active, in one epoch and under one public key. */
export const checkHoldings: Check = ({ facts: { signers }, history }) => [
  ...signers
    .filter(({ holdings }) => holdings === undefined)
    .map(({ index }): Finding => ({ invariant: "INV-5", words: `signer ${index} does not answer` })),
  ...history.wallets.flatMap(({ keyId }): readonly Finding[] => {
    const shown = signers.flatMap(({ holdings }) => {
      const key = holdings?.find((held) => held.keyId === keyId);
      return holdings === undefined ? [] : [key && `${key.state}, epoch ${key.epoch}, ${key.publicKey}`];
    });
    const isActive = shown.every((words) => words?.startsWith("active"));
    if (isActive && new Set(shown).size <= 1) return [];
    const words = `signers hold ${keyId} differently: ${[...new Set(shown)].join("; ")}`;
    return [{ invariant: "INV-5", words }];
  }),
];

/** How often signers must catch a liar before the fault must be on record: one report may be lost with an abandoned session. */
const CAUGHT_MIN = 2;

/** Signers that others caught, often enough, while no fault disturbed the reports. */
const caughtQuietly = ({ facts: { caught }, expected: { disturbed } }: Judged): readonly number[] => {
  const quiet = caught.filter(({ atMs }) =>
    disturbed.every(({ fromMs, untilMs }) => atMs < fromMs || atMs > untilMs),
  );
  const culprits = quiet.map(({ culprit }) => culprit);
  return [...new Set(culprits)].filter(
    (one) => culprits.filter((culprit) => culprit === one).length >= CAUGHT_MIN,
  );
};

/**
 * INV-7: each signer on record lied by the plan. Each signer whose lie was used is on record, provided that no other fault
 * happened, or that others caught it.
 */
export const checkFaults: Check = (judged) => {
  const { facts, expected } = judged;
  const { liars } = expected;
  const named = new Set([...expected.named, ...caughtQuietly(judged)]);
  const culprits = new Set(facts.database.faults.map(({ culprit }) => culprit));
  return [
    ...facts.database.faults
      .filter(({ culprit }) => !liars.includes(culprit))
      .map(({ culprit, reporter, check }): Finding => {
        const words = `signer ${reporter} has signer ${culprit} on record for ${check}, and it did not lie`;
        return { invariant: "INV-7", words };
      }),
    ...facts.caught
      .filter(({ culprit }) => !liars.includes(culprit))
      .map(({ by, culprit, check }): Finding => {
        const words = `signer ${by} says that signer ${culprit} failed ${check}, and it did not lie`;
        return { invariant: "INV-7", words };
      }),
    ...[...named]
      .filter((liar) => !culprits.has(liar))
      .map((liar): Finding => ({ invariant: "INV-7", words: `signer ${liar} lied, and is not on record` })),
  ];
};
