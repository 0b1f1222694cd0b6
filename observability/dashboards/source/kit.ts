import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  GraphDrawStyle,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  type DynamicConfigValue,
  type Panel,
  QueryVariableBuilder,
  RowBuilder,
  TextBoxVariableBuilder,
  type Threshold,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';

/** What every selector of ours begins with: the installations that were chosen, and of them the services. */
export const HERE = 'namespace=~"$namespace"';
export const OF_SERVICE = `${HERE},job=~"$service"`;

/** Grafana's names for units. */
export type Unit =
  | 'reqps'
  | 'ops'
  | 'short'
  | 's'
  | 'percentunit'
  | 'bytes'
  | 'dateTimeFromNow'
  | 'none'
  | 'bool_yes_no';

const WIDTH = 24;
const TAG = 'switchboard';
const SOURCE = { type: 'prometheus', uid: '${datasource}' };
/** Where the runbooks of an installation's operators can be read; they set it once. */
const RUNBOOKS = 'https://git.example.com/switchboard/blob/main/docs/operations/runbooks';

/** One meaning, one colour, on every panel: what series are called that have it. */
const COLOURS = {
  green: [
    'accepted',
    'handled',
    'delivered',
    'published',
    'applied',
    'stored',
    'verified',
    'working',
    'good',
    '2xx',
    'idle',
    '200',
  ],
  yellow: ['refused', 'held', 'paused', '4xx', 'parked'],
  orange: ['throttled', 'locked', 'busy', 'p99', 'retried'],
  red: ['failed', 'timeout', 'failing', 'waiting', '5xx', 'status', 'reset', 'connect'],
  'dark-red': ['dead_lettered', 'degraded', 'contradicted'],
  purple: ['unknown', 'unavailable'],
  blue: ['p50', 'expired', 'given_back', 'repeated', 'pending', 'dropped'],
};
/** Series whose names are values of these labels, or are named outright. */
const IS_COLOURED = /\{(outcome|state)\}|^(good|refused|failed|p50|p99)$/;

interface Common {
  title: string;
  /** What it shows, and what to think of it. */
  description: string;
  unit: Unit;
  /** Alerts whose runbooks are linked. */
  alerts?: string[];
  /** Lines at which it is bad; none when there is no such bound. */
  bad?: { at: number; colour?: 'orange' | 'red' }[];
  /** Below its first line a figure is bad instead of above. */
  lowIsBad?: boolean;
}

/** An expression, and what its series are called: labels in braces. */
export type Query = [expression: string, legend: string];

export interface Graph extends Common {
  queries: Query[];
  /** Stacks the series: where their sum says something. */
  isSum?: boolean;
  /** Series above this are not possible. */
  most?: number;
}

export interface Figure extends Common {
  query: string;
  /** What stands there without a series. */
  none?: string;
}

/** Panels side by side, under a heading of their own when they have one. */
export interface Row {
  heading?: string;
  height?: number;
  panels: (Graph | Figure)[];
}

/** A dashboard of ours, as its file holds it. */
export function board(name: string, title: string, description: string, rows: Row[]): Dashboard {
  const builder = new DashboardBuilder(`Switchboard / ${title}`)
    .uid(`switchboard-${name}`)
    .description(description)
    .tags([TAG])
    .refresh('30s')
    .time({ from: 'now-3h', to: 'now' })
    .timezone('browser')
    .tooltip(DashboardCursorSync.Crosshair)
    .readonly()
    .link(others());
  for (const variable of variables()) builder.withVariable(variable);
  let y = 0;
  let id = 1;
  for (const { heading, height = 8, panels } of rows) {
    if (heading !== undefined)
      builder.withRow(new RowBuilder(heading).id(id++).gridPos({ x: 0, y: y++, w: WIDTH, h: 1 }));
    const edge = (index: number): number => Math.round((index * WIDTH) / panels.length);
    panels.forEach((panel, index) => {
      const w = edge(index + 1) - edge(index);
      builder.withPanel(panelOf(panel, id++, { x: edge(index), y, w, h: height }));
    });
    y += height;
  }
  return builder.build();
}

function variables(): Builder<never>[] {
  const everything = (name: string, label: string, query: string): QueryVariableBuilder =>
    new QueryVariableBuilder(name)
      .label(label)
      .datasource(SOURCE)
      .query(query)
      .refresh(VariableRefresh.OnTimeRangeChanged)
      .sort(VariableSort.AlphabeticalAsc)
      .multi(true)
      .includeAll(true)
      .allValue('.*')
      .current({ selected: true, text: 'All', value: '$__all' });
  return [
    new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'),
    everything('namespace', 'Installation', 'label_values(switchboard_build_info, namespace)'),
    everything('service', 'Service', 'label_values(switchboard_build_info{namespace=~"$namespace"}, job)'),
    new TextBoxVariableBuilder('runbooks').label('Runbooks at').defaultValue(RUNBOOKS),
  ] as unknown as Builder<never>[];
}

function others(): DashboardLinkBuilder {
  return new DashboardLinkBuilder('Switchboard')
    .type(DashboardLinkType.Dashboards)
    .tags([TAG])
    .asDropdown(true)
    .includeVars(true)
    .keepTime(true);
}

function panelOf(
  panel: Graph | Figure,
  id: number,
  at: { x: number; y: number; w: number; h: number },
): Builder<Panel> {
  const made = 'queries' in panel ? graph(panel) : figure(panel);
  return made.id(id).gridPos(at);
}

function graph(panel: Graph): timeseries.PanelBuilder {
  const { queries, isSum = false, most, bad = [] } = panel;
  const builder = new timeseries.PanelBuilder()
    .drawStyle(GraphDrawStyle.Line)
    .lineWidth(isSum ? 1 : 2)
    .fillOpacity(isSum ? 60 : 8)
    .showPoints(VisibilityMode.Never)
    .stacking(new StackingConfigBuilder().mode(isSum ? StackingMode.Normal : StackingMode.None))
    .axisSoftMin(0)
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.Table)
        .placement(LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(['mean', 'max', 'lastNotNull']),
    );
  if (bad.length > 0)
    builder.thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed));
  if (most !== undefined) builder.max(most);
  queries.forEach((query, index) => builder.withTarget(target(query, String.fromCharCode(65 + index))));
  if (queries.some(([, legend]) => IS_COLOURED.test(legend)))
    for (const [colour, names] of Object.entries(COLOURS))
      builder.overrideByRegexp(`/(^|\\s)(${names.join('|')})$/`, fixed(colour));
  return dressed(builder, panel);
}

function figure(panel: Figure): stat.PanelBuilder {
  const builder = new stat.PanelBuilder().withTarget(target([panel.query, ''], 'A').instant());
  builder.reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']));
  return dressed(builder, panel).noValue(panel.none ?? '–');
}

function dressed<Made extends timeseries.PanelBuilder | stat.PanelBuilder>(builder: Made, panel: Common): Made {
  const { title, description, unit, alerts = [] } = panel;
  builder.title(title).description(description).unit(unit).datasource(SOURCE);
  builder.thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps(panel)));
  builder.links(
    alerts.map((alert) =>
      new DashboardLinkBuilder(`Runbook: ${alert}`)
        .type(DashboardLinkType.Link)
        .url(`\${runbooks}/${alert}.md`)
        .targetBlank(true),
    ),
  );
  return builder;
}

function steps({ bad = [], lowIsBad = false }: Common): Threshold[] {
  const sorted = [...bad].sort((one, other) => one.at - other.at);
  const colours = sorted.map(({ colour = 'red' }) => colour);
  // Grafana colours from a line upwards, so below the first line stands what is good, or the worst.
  const [base = 'green', ...above] = lowIsBad ? [...colours, 'green'] : ['green', ...colours];
  return [
    { value: null, color: base },
    ...sorted.map(({ at }, index) => ({ value: at, color: above[index] ?? 'green' })),
  ];
}

function target([expression, legend]: Query, refId: string): DataqueryBuilder {
  return new DataqueryBuilder()
    .expr(expression)
    .legendFormat(legend.replaceAll('{', '{{').replaceAll('}', '}}'))
    .refId(refId)
    .datasource(SOURCE);
}

function fixed(colour: string): DynamicConfigValue[] {
  return [{ id: 'color', value: { mode: 'fixed', fixedColor: colour } }];
}

/** What a counter gains a second, by a label. */
export const rateBy = (label: string, counter: string, selector = OF_SERVICE): string =>
  `sum by (${label}) (rate(${counter}{${selector}}[$__rate_interval]))`;

/** Two quantiles of a histogram. */
export const quantiles = (histogram: string, selector = OF_SERVICE): Query[] =>
  (
    [
      ['0.5', 'p50'],
      ['0.99', 'p99'],
    ] as const
  ).map(([share, name]) => [
    `histogram_quantile(${share}, sum by (le) (rate(${histogram}_bucket{${selector}}[$__rate_interval])))`,
    name,
  ]);
