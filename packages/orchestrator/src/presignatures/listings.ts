import type { ListedPresignature, Listings } from "@conclave/cluster";
import type { Signer } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";

interface Listers {
  get(index: PartyIndex): Pick<Signer, "listPresignatures"> | undefined;
}

/** What these signers say that they hold. Of one that does not answer nothing is known. */
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
