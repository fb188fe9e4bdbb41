import type { ListedPresignature, Listings } from "@conclave/cluster";
import type { Signer } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";

interface Listers {
  get(index: PartyIndex): Pick<Signer, "listPresignatures"> | undefined;
}

/** Asks these signers for their presignatures; a signer that does not answer has no list. */
export const askForListings = async (signers: Listers, of: readonly PartyIndex[]): Promise<Listings> => {
  const listings = new Map<PartyIndex, readonly ListedPresignature[]>();
  await Promise.all(
    of.map(async (index) => {
      const listed = await signers.get(index)?.listPresignatures();
      if (listed?.ok === true) listings.set(index, listed.value);
    }),
  );
  return listings;
};
