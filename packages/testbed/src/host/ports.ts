import { freePorts, portIsFree } from "@conclave/platform";

export interface PortChoice {
  readonly name: string;
  readonly port: number;
  /** the preferred port, if it is in use */
  readonly taken?: number;
}

/** Chooses each preferred port if it is free, otherwise another free port. */
export const choosePorts = async (
  wanted: Readonly<Record<string, number>>,
): Promise<readonly PortChoice[]> => {
  const entries = await Promise.all(
    Object.entries(wanted).map(async ([name, port]) => ({ name, port, free: await portIsFree(port) })),
  );
  const spare = [...(await freePorts(entries.filter(({ free }) => !free).length))];
  return entries.map(({ name, port, free }) => {
    const other = free ? undefined : spare.pop();
    return other === undefined ? { name, port } : { name, port: other, taken: port };
  });
};
