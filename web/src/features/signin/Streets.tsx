import { streets } from './streets';

/** A quiet picture of a town that does not exist: decoration, drawn from numbers, no request. */
export default function Streets() {
  const town = streets();
  return (
    <svg
      viewBox="0 0 1000 1000"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      fill="none"
      strokeLinecap="round"
    >
      <g fill="var(--park)">
        {town.parks.map(d => (
          <path key={d} d={d} />
        ))}
      </g>
      <g fill="var(--building)">
        <path d={town.buildings} />
      </g>
      <path d={town.river} stroke="var(--water)" strokeWidth="58" />
      <path d={town.creek} stroke="var(--water)" strokeWidth="10" />
      <path d={town.lanes} stroke="var(--case)" strokeWidth="5" />
      <path d={town.lanes} stroke="var(--road)" strokeWidth="3.6" />
      <path d={town.avenues} stroke="var(--case)" strokeWidth="8" />
      <path d={town.avenues} stroke="var(--road-3)" strokeWidth="6.2" />
      <path d={town.motorway} stroke="var(--case)" strokeWidth="18" />
      <path d={town.motorway} stroke="var(--motorway)" strokeWidth="15" />
      <path d={town.motorway} stroke="var(--case)" strokeWidth="2" />
      <path d={town.rail} stroke="var(--rail)" strokeWidth="1.5" strokeDasharray="5 3" />
    </svg>
  );
}
