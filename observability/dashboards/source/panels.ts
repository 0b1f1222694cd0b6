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

/** Base selector of the selected installations. The next one also selects the services within them. */
export const HERE = 'namespace=~"$namespace"';
export const OF_SERVICE = `${HERE},job=~"$service"`;

/** Grafana's unit identifiers. */
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
/** Default base URL of the runbooks, which operators override with the dashboard variable. */
const RUNBOOKS = 'https://git.example.com/switchboard/blob/main/docs/operations/runbooks';

/** Series names by color, to give a color the same meaning on every panel. */
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
/** Matches legends that consist of these labels, or of fixed series names with a color. */
const IS_COLOURED = /\{(outcome|state)\}|^(good|refused|failed|p50|p99)$/;

interface Common {
  title: string;
  /** Content of the panel and how to interpret it. */
  description: string;
  unit: Unit;
  /** Alerts whose runbooks the panel links. */
  alerts?: string[];
  /** Thresholds from which a value is bad. */
  bad?: { at: number; colour?: 'orange' | 'red' }[];
  /** Treats values below the first threshold as bad. */
  lowIsBad?: boolean;
}

/** PromQL expression and its legend, with labels in braces. */
export type Query = [expression: string, legend: string];

export interface Graph extends Common {
  queries: Query[];
  /** Stacks the series. Set this where their sum is meaningful. */
  isSum?: boolean;
  /** Upper limit of the axis. */
  most?: number;
}

export interface Figure extends Common {
  query: string;
  /** Text shown when there is no data. */
  none?: string;
}

/** Panels side by side, with an optional heading. */
export interface Row {
  heading?: string;
  height?: number;
  panels: (Graph | Figure)[];
}

/** Builds a dashboard from rows of panels. */
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
  // Grafana applies a color from its threshold upwards, so the base color is that of values below the first threshold.
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

/** Returns the per-second rate of a counter by label. */
export const rateBy = (label: string, counter: string, selector = OF_SERVICE): string =>
  `sum by (${label}) (rate(${counter}{${selector}}[$__rate_interval]))`;

/** Returns the median and the 99th percentile of a histogram. */
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
