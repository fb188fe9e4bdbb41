import { z } from "zod";

const subjectSchema = z.looseObject({ id: z.string(), status: z.string().optional() });

/** The resource that an event is about, with its status: the first member of its data that has an id. */
export const subjectOf = (data: Readonly<Record<string, unknown>>): string => {
  const [subject] = Object.values(data).flatMap((value) => {
    const parsed = subjectSchema.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  return subject === undefined ? "" : `${subject.id} ${subject.status ?? ""}`.trim();
};
