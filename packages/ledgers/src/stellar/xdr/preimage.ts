import { xdrAsset } from "./asset.ts";
import { xdrBytes, xdrList, xdrOnly, xdrStruct } from "./codec.ts";
import { xdrContractValue } from "./contract-value.ts";
import { xdrContractEvent } from "./event.ts";
import { xdr } from "./sdk.ts";

/** The hashed bytes of which the id of an asset's contract is made. */
export const xdrContractIdPreimage = xdrOnly(
  xdr.HashIdPreimage,
  "envelopeTypeContractId",
  xdrStruct(xdr.HashIdPreimageContractId, {
    networkId: xdrBytes,
    asset: ["contractIdPreimage", xdrOnly(xdr.ContractIdPreimage, "contractIdPreimageFromAsset", xdrAsset)],
  }),
);

/** The outcome of a successful call, by whose hash its result names it. */
export const xdrCallOutcome = xdrStruct(xdr.InvokeHostFunctionSuccessPreImage, {
  returned: ["returnValue", xdrContractValue],
  events: xdrList(xdrContractEvent),
});
