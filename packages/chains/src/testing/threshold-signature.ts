import { ed25519_FROST } from "@noble/curves/ed25519.js";

/**
 * Signs with three of five shares of one Ed25519 key (RFC 9591) by noble's implementation; other tests compare our own FROST
 * with it.
 * @param write returns the bytes to sign for the key
 */
export const signedTogether = (
  write: (publicKey: Uint8Array) => Uint8Array,
): { readonly publicKey: Uint8Array; readonly bytes: Uint8Array } => {
  const frost = ed25519_FROST;
  const dealt = frost.trustedDealer({ min: 3, max: 5 });
  const publicKey = dealt.public.commitments[0];
  if (publicKey === undefined) throw new Error("the key is the first commitment");
  const message = write(publicKey);
  const quorum = Object.entries(dealt.secretShares).slice(1, 4);
  const parts = quorum.map(([id, secret]) => ({ id, secret, ...frost.commit(secret) }));
  const commitments = parts.map((part) => part.commitments);
  const shares = Object.fromEntries(
    parts.map(({ id, secret, nonces }) => [
      id,
      frost.signShare(secret, dealt.public, nonces, commitments, message),
    ]),
  );
  return { publicKey, bytes: frost.aggregate(dealt.public, commitments, message, shares) };
};
