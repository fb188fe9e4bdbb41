/** The names of the cluster's processes. The first gateway and the first orchestrator have no number. */
export const gatewayName = (number: number): string => (number === 1 ? "gateway" : `gateway-${number}`);

export const orchestratorName = (number: number): string =>
  number === 1 ? "orchestrator" : `orchestrator-${number}`;

export const signerName = (index: number): string => `signer-${index}`;
