import type { SignedAuthorisation } from "@conclave/custody";
import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { JudgePartial } from "./made-partial.ts";
import type { JudgeAnswer } from "./payload/answered-command.ts";
import type { AskedPayload, AskedPayloads } from "./payload/asked-payloads.ts";

/** An authorisation is for so long, from the date that the authority wrote into it. */
const VALID_MS = 15 * 60_000;
/** A signer's clock may be so far behind the authority's. */
const BEHIND_MS = 60_000;

type IsSigned = (authorisation: SignedAuthorisation) => boolean;

/** Whether the authority signed an authorisation. Each is verified once, because all signers of a session show the same one. */
const signedBy = (authorityKey: Uint8Array): IsSigned => {
  const verified = new Map<string, boolean>();
  return ({ payload, signature }) => {
    const name = `${bytesToHex(signature)}/${bytesToHex(payload)}`;
    const known = verified.get(name);
    if (known !== undefined) return known;
    const isSigned = signature.length === 64 && ed25519.verify(signature, payload, authorityKey);
    verified.set(name, isSigned);
    return isSigned;
  };
};

/** The name of what is wrong; undefined where the authorisation was valid by this clock. */
const whyInvalid = (
  { authorisation, authorised }: AskedPayload,
  isSigned: IsSigned,
  clockMs: number,
): string | undefined => {
  if (authorised === undefined) return "no authorised transfer";
  if (!isSigned(authorisation)) return "not signed by the authority";
  const authorisedMs = Date.parse(authorised.dateAuthorised);
  if (clockMs + BEHIND_MS < authorisedMs) return "authorised later";
  return clockMs < authorisedMs + VALID_MS ? undefined : "authorised too long ago";
};

/** INV-8: the authority had signed the request of each command that a signer answers with signatures. */
export const answersAuthority = (authorityKey: Uint8Array): JudgeAnswer => {
  const isSigned = signedBy(authorityKey);
  return ({ atMs, signer, asked: { authorisation } }) =>
    isSigned(authorisation)
      ? []
      : [
          {
            invariant: "INV-8",
            words: `signer-${signer} answers a command: not signed by the authority`,
            atMs,
          },
        ];
};

/** INV-8: the authority had signed the request of each signature, and by the signer's clock this was valid still. */
export const byAuthority = (asked: AskedPayloads, authorityKey: Uint8Array): JudgePartial => {
  const isSigned = signedBy(authorityKey);
  return ({ atMs, clocksMs, signer, digest }) => {
    const reasons = asked
      .of(signer, digest)
      .flatMap((payload) => clocksMs.map((clockMs) => whyInvalid(payload, isSigned, clockMs)));
    if (reasons.includes(undefined)) return [];
    const [reason = "no authorisation"] = reasons;
    return [{ invariant: "INV-8", words: `signer-${signer} signed ${digest}: ${reason}`, atMs }];
  };
};
