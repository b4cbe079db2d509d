/** The detail of one event. */
export function EventDetail({ id }: { id: string }) {
  return <p>{id}</p>;
}
