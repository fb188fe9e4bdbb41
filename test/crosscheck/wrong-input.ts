import { ORDER } from "@conclave/threshold";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { type CrateShare, crateInteger, crateShare, hexOfScalar, numberOfHex } from "./crate-form.ts";
import type { CrateAnswer } from "./crate-program.ts";
import { crateQuorum, firstOf, generateKey, type Holder, type Holders, itemOf, QUORUMS } from "./holders.ts";
import { messageOf, type Trial, unexpected } from "./trial.ts";

/** The crate's words when it refuses a share, or when a party ends a run. */
interface Refusal {
  readonly kind: Extract<CrateAnswer, { readonly reason: string }>["kind"];
  readonly words: RegExp;
}

const flawOf =
  ({ kind, words }: Refusal): Trial["flawOf"] =>
  (answer) =>
    answer.kind === kind && "reason" in answer && words.test(answer.reason) ? undefined : unexpected(answer);

const refuses = (name: string, share: CrateShare, words: RegExp): Trial => ({
  name: `refuses ${name}`,
  task: { do: "accept", share },
  flawOf: flawOf({ kind: "refused", words }),
});

const withoutSignature = (holders: Holders, name: string, share: CrateShare, words: RegExp): Trial => {
  const { shares, signers } = crateQuorum(holders, firstOf(QUORUMS));
  return {
    name: `makes no signature with ${name}`,
    task: {
      do: "presign",
      quorum: { shares: [share, ...shares.slice(1)], signers },
      message: messageOf("pay nobody").hex,
    },
    flawOf: flawOf({ kind: "failed", words }),
  };
};

const withCore = (share: CrateShare, core: Partial<CrateShare["core"]>): CrateShare => ({
  ...share,
  core: { ...share.core, ...core },
});
const withAux = (share: CrateShare, aux: Partial<CrateShare["aux"]>): CrateShare => ({
  ...share,
  aux: { ...share.aux, ...aux },
});

/** Two changed shares, one higher by one: with the old public share, and with the matching public share. */
const changedShares = ({ share, key }: Holder): readonly [CrateShare, CrateShare] => {
  const alone = withCore(share, { x: hexOfScalar((numberOfHex(share.core.x) + 1n) % ORDER) });
  const own = key.info.publicShares.get(key.self) ?? secp256k1.Point.ZERO;
  const [, ...others] = share.core.public_shares;
  const withPublic = withCore(alone, { public_shares: [own.add(secp256k1.Point.BASE).toHex(), ...others] });
  return [alone, withPublic];
};

/** The first holder's inputs, each wrong in one way; some errors show only in a run. */
export const wrongInput = (holders: Holders): readonly Trial[] => {
  const [holder, other] = [...holders.byParty.values()];
  if (holder === undefined || other === undefined) throw new RangeError("a key has several holders");
  const { share } = holder;
  const { p, q } = holder.auxiliary.own.reveal().paillier.factors;
  const changed = other.auxiliary.own.reveal().paillier.factors.p;
  const [alone, withPublic] = changedShares(holder);
  const prime = { p: crateInteger(changed) };
  const N = [crateInteger(changed * q), ...share.aux.N.slice(1)];
  const swapped = share.aux.pedersen_params.map((bases, at) =>
    at === 1 ? { ...bases, s: bases.t, t: bases.s } : bases,
  );
  const ofAnotherKey = crateShare(itemOf(generateKey("another key"), holder.key.self), holder.auxiliary);
  const none = (name: string, wrong: CrateShare, words: RegExp) =>
    withoutSignature(holders, name, wrong, words);
  return [
    refuses("a changed share", alone, /PartySecretShareDoesntMatchPublicShare/),
    refuses("a changed share with its public share", withPublic, /SharesDontMatchPublicKey/),
    refuses("a changed Paillier prime", withAux(share, prime), /PrimesMul/),
    refuses(
      "a Paillier prime that is one bit short",
      withAux(share, { p: crateInteger(p >> 1n) }),
      /SkTooSmall/,
    ),
    none("a changed Paillier prime and the N of it", withAux(share, { ...prime, N }), /EncProofOfK/),
    none("other ring-Pedersen bases of a peer", withAux(share, { pedersen_params: swapped }), /EncProofOfK/),
    none("a share of another key", ofAnotherKey, /InvalidPsi/),
  ];
};
