import type { LedgerJson } from "../../json.ts";
import type { AlgodAsset } from "../books.ts";

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const unlessEmpty = (text: string): string | undefined => (text === "" ? undefined : text);
const inBase64 = (text: string): string | undefined =>
  text === "" ? undefined : base64(new TextEncoder().encode(text));

export const assetParametersJson = ({ creator, parameters }: AlgodAsset): LedgerJson => ({
  creator,
  total: parameters.total,
  decimals: parameters.decimals,
  "default-frozen": parameters.defaultFrozen,
  name: unlessEmpty(parameters.name),
  "name-b64": inBase64(parameters.name),
  "unit-name": unlessEmpty(parameters.unitName),
  "unit-name-b64": inBase64(parameters.unitName),
  url: unlessEmpty(parameters.url),
  "url-b64": inBase64(parameters.url),
  "metadata-hash": parameters.metadataHash && base64(parameters.metadataHash),
  manager: parameters.manager,
  reserve: parameters.reserve,
  freeze: parameters.freeze,
  clawback: parameters.clawback,
});

/** GET /v2/assets/{id}. */
export const assetJson = (id: bigint, asset: AlgodAsset): LedgerJson => ({
  index: id,
  params: assetParametersJson(asset),
});
