import type { EnabledNetwork, FamilyRegistry } from "@conclave/chains";
import { readJsonFile } from "./json-file.ts";

export type EnabledNetworks = readonly EnabledNetwork[];

/**
 * Reads the networks that this cluster serves.
 *
 * @param families each defines the form of its networks' entries
 * @throws ConfigurationError when the file is missing or not valid
 */
export const loadNetworks = (
  path: string,
  families: Pick<FamilyRegistry, "networksSchema">,
): Promise<EnabledNetworks> => readJsonFile(path, "the list of networks", families.networksSchema);
