import { importSigners, type Roster } from "@conclave/platform";
import { encodeBase64, type PartyIndex } from "@conclave/threshold";

/**
 * The field encryptedKeyShares of an export's answer: the envelopes that signers sealed for a client, also signers that
 * leave; ascending by signer.
 */
export const exportedShares = (
  roster: Pick<Roster, "signers">,
  envelopes: ReadonlyMap<PartyIndex, Uint8Array>,
): readonly { readonly signerId: string; readonly encryptedKeyShare: string }[] =>
  (importSigners({ signers: roster.signers }) ?? []).flatMap(({ party, signerId }) => {
    const envelope = envelopes.get(party);
    if (envelope === undefined) return [];
    return [{ signerId: encodeBase64(signerId), encryptedKeyShare: encodeBase64(envelope) }];
  });
