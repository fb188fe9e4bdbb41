import { xdrAsset } from "./asset.ts";
import { xdrBytes, xdrList, xdrOnly, xdrStruct } from "./codec.ts";
import { xdrContractValue } from "./contract-value.ts";
import { xdrContractEvent } from "./event.ts";
import { xdr } from "./sdk.ts";

/** The preimage whose hash is the id of an asset's contract. */
export const xdrContractIdPreimage = xdrOnly(
  xdr.HashIdPreimage,
  "envelopeTypeContractId",
  xdrStruct(xdr.HashIdPreimageContractId, {
    networkId: xdrBytes,
    asset: ["contractIdPreimage", xdrOnly(xdr.ContractIdPreimage, "contractIdPreimageFromAsset", xdrAsset)],
  }),
);

/** The outcome of a successful call, whose hash is in the operation's result. */
export const xdrCallOutcome = xdrStruct(xdr.InvokeHostFunctionSuccessPreImage, {
  returned: ["returnValue", xdrContractValue],
  events: xdrList(xdrContractEvent),
});
