import { z } from "zod";

/** Reads the named fields of a decoded msgpack map. */
export const fieldsOf = <T extends z.ZodRawShape>(shape: T) =>
  z.preprocess(
    (read) =>
      read instanceof Map
        ? Object.fromEntries(Object.keys(shape).map((name) => [name, read.get(name)]))
        : read,
    z.object(shape),
  );
