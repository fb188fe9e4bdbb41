import type { RowFact, SignerFacts } from "../facts/cluster-facts.ts";
import { nonceUses } from "../facts/nonces.ts";
import type { Check, Finding, Judged } from "./finding.ts";

const spendings = (signers: readonly SignerFacts[]) =>
  signers.flatMap(({ index, spent }) => spent.map((one) => ({ ...one, index })));

/** INV-2: a presignature is spent on one digest at all signers, and no store has one. */
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

/** Every signature that was made for a request, as far as it is on record or on its chain: by the nonce of each. */
const signaturesOf = ({ facts }: Judged, { id, signed }: RowFact, network: string): ReadonlySet<string> => {
  const landed = facts.chain.landed.get(id);
  const all = typeof landed === "object" ? [...signed, landed.signed] : signed;
  return new Set(all.flatMap((hex) => nonceUses(network, hex).map(({ nonce }) => nonce)));
};

/**
 * Requests with more signatures than presignatures that a quorum has buried for them: a partial signature has left without its
 * tombstone. It is no matter how the request has ended: what failed on its chain was signed, and what is dead.
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

/** INV-2: what was signed with presignatures has a tombstone at t signers at least. FROST's nonces are in memory and leave none. */
export const checkBuried =
  (threshold: number): Check =>
  (judged) =>
    unburied(judged, threshold);

/** INV-2: no nonce is used for two messages, in no transaction that is on a chain or on record. */
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
      // else a transaction of a form that nobody reads here would always pass
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
 * So many presignatures a signer has forgotten before it must hear of it: of the last one it may have died
 * before it sent it.
 */
const FORGOTTEN_MIN = 2;

/** INV-2: a signer with an older copy of its store hears from its peers that it spent more, as far as nothing else happened; and nobody else does. */
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

/** INV-1: a signer holds its own share of a key and nobody else's; and a whole key is written nowhere. */
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

/** INV-5: what a signer says that it holds is in its store too, and each key of the load was read there: else it is gone with the process. */
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

/** INV-5: every signer answers and holds every key of the load, active, in one epoch and under one public key. */
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

/** So often a signer catches a liar before the record must have it: a session may be given up while the word of it is under way. */
const CAUGHT_MIN = 2;

/** Signers that others have caught while nothing kept their word from the record. */
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
 * INV-7: each signer on record lied by the plan; and each that lied in a used message is on record, as far as
 * nothing else happened, or the others caught it.
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
