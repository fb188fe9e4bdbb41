import {
  type ActiveKey,
  type ActiveWallet,
  type AuthorisedImport,
  allowWithoutPolicies,
  type CreatingKey,
  fail,
  type ImportKeyBody,
  type ImportWalletBody,
  judgeKeyOnNetwork,
  judgeKeyOptions,
  judgeNetwork,
  keyIdSchema,
  keyImportIdSchema,
  type Result,
  type UserId,
} from "@conclave/custody";
import { isKeyImportActivated } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { requestKey } from "../key/key-request.ts";
import { ownerOfNewKey } from "../key/new-key.ts";
import { requesterOf } from "../people/requester.ts";
import type { Viewer } from "../people/viewer.ts";
import { earlierWallet, newWallet, requestWallet, settledWallet } from "../wallet/wallet-request.ts";
import { type ReadImport, readImport } from "./import-request.ts";

type Brought = Pick<ImportKeyBody, "protocol" | "curve" | "minSigners" | "encryptedKeyShares">;

/**
 * Has the signers import a key that a client sharded for them (wire interface, section C). Each share is encrypted to
 * its signer, so nobody in between can read it.
 * @returns the active key; ImportNotActivated unless the operator activated imports for the organisation;
 * KeyImportUnavailable, KeyImportRefused, KeyDerivationNotSupported; KeyImportDuplicate when the organisation has the
 * key; the signers' refusals; RequestInProgress when it takes longer than callers wait
 */
export const importKey = async (
  dependencies: Dependencies,
  caller: Viewer,
  body: ImportKeyBody,
): Promise<Result<ActiveKey>> => {
  const read = await readBrought(dependencies, caller, body);
  if (!read.ok) return read;
  const options = judgeKeyOptions(body);
  if (!options.ok) return options;
  const owner = await ownerOfNewKey(dependencies.database, caller, {});
  if (!owner.ok) return owner;
  const { terms, envelopes } = read.value;
  const key = importedKey(dependencies, caller, terms, { name: body.name, delegatedTo: owner.value });
  return requestKey(dependencies, key, [...envelopes.values()]);
};

/**
 * The same for a wallet on the imported key. The same body with the same externalId gives the earlier wallet.
 * @returns the active wallet; as `importKey`, and refusals of `judgeNetwork` and `judgeKeyOnNetwork`,
 * ExternalIdConflict
 */
export const importWallet = async (
  dependencies: Dependencies,
  caller: Viewer,
  body: ImportWalletBody,
): Promise<Result<ActiveWallet>> => {
  const network = judgeNetwork(body.network, dependencies.networks);
  if (!network.ok) return network;
  const read = await readBrought(dependencies, caller, body);
  if (!read.ok) return read;
  const { terms, envelopes } = read.value;
  const fitting = judgeKeyOnNetwork(dependencies.families, network.value, terms.scheme);
  if (!fitting.ok) return fitting;
  // digests replace the envelopes, so that nothing is kept that a signer could open
  const request = { ...body, requestBody: { ...body, encryptedKeyShares: terms.shares } };
  const earlier = await earlierWallet(dependencies, caller, request);
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return settledWallet(dependencies, earlier.value);
  const owner = await ownerOfNewKey(dependencies.database, caller, {});
  if (!owner.ok) return owner;
  const key = importedKey(dependencies, caller, terms, { name: undefined, delegatedTo: owner.value });
  const wallet = newWallet(dependencies, caller, { network: network.value, keyId: key.id }, request);
  const made = await requestWallet(dependencies, wallet, key, [...envelopes.values()]);
  return made === "taken" ? importWallet(dependencies, caller, body) : made;
};

const readBrought = async (
  { database, roster }: Dependencies,
  caller: Viewer,
  { protocol, curve, minSigners, encryptedKeyShares }: Brought,
): Promise<Result<ReadImport>> => {
  const { orgId } = caller;
  if (!(await isKeyImportActivated(database, orgId))) return fail("ImportNotActivated", { orgId });
  return readImport(roster, { protocol, curve, minSigners, encryptedKeyShares });
};

const importedKey = (
  { authority, now, world }: Dependencies,
  caller: Viewer,
  terms: ReadImport["terms"],
  { name, delegatedTo }: { readonly name: string | undefined; readonly delegatedTo: UserId | undefined },
): CreatingKey => {
  const id = world.freshId(keyIdSchema, "key");
  const date = now().toISOString();
  return {
    id,
    orgId: caller.orgId,
    name,
    scheme: terms.scheme,
    origin: "imported",
    requester: requesterOf(caller),
    authorisation: authority(authorisedImport(world, caller, id, terms, date)),
    isDelegable: false,
    delegatedTo,
    dateCreated: date,
    status: "Creating",
  };
};

const authorisedImport = (
  world: Dependencies["world"],
  { orgId }: Viewer,
  keyId: CreatingKey["id"],
  terms: ReadImport["terms"],
  date: string,
): AuthorisedImport => ({
  version: 1,
  kind: "key-import",
  requestId: world.freshId(keyImportIdSchema, "kim"),
  orgId,
  keyId,
  ...terms,
  policy: allowWithoutPolicies(date),
  dateRequested: date,
});
