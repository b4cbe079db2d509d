export { type Bar, BarChart, type BarChartProps } from './BarChart';
export { Button, type ButtonProps, buttonClass } from './Button';
export { Checkbox, type CheckboxProps } from './Checkbox';
export { ChecksLine, type ChecksLineProps } from './ChecksLine';
export { Codes, CopyButton, type Rule, RuleList } from './Codes';
export { AskButton, ConfirmAction, type ConfirmActionProps } from './ConfirmAction';
export { Conflict, type ConflictProps } from './Conflict';
export { Dial, type DialProps } from './Dial';
export { ConfirmDialog, type ConfirmDialogProps, Dialog, type DialogProps } from './Dialog';
export { EmptyState, type EmptyStateProps } from './EmptyState';
export { ErrorNotice, type ErrorNoticeProps, Notice, type NoticeProps } from './ErrorNotice';
export { errorOf } from './errorOf';
export { IconButton, type IconButtonProps, IconToggle, type IconToggleProps } from './IconButton';
export { InsideButton } from './InsideButton';
export { KeyValues } from './KeyValues';
export { LeaveGuard } from './LeaveGuard';
export {
  FormTextField,
  factsOf,
  type Holdup,
  HoldupsContext,
  LinesContext,
  type LineTable,
  type LineWords,
  PasswordLine,
  remaining,
  SegmentedLine,
  SelectLine,
  SwitchLine,
  TextLines,
  ToggleRow,
  useHoldup,
  useWords,
} from './Lines';
export { Menu, MenuItem, type MenuItemProps, type MenuProps, MenuSection, MenuSeparator } from './Menu';
export {
  BackIcon,
  backLinkClass,
  Card,
  Cards,
  DescriptionList,
  FormFoot,
  FormRow,
  FormSection,
  OfficePage,
  PageHead,
  Pill,
  type PillProps,
  Progress,
  Tools,
} from './Office';
export { OPTION_PX, type Option, VIRTUAL_ABOVE } from './options';
export { PickField, type PickFieldProps } from './PickField';
export { Popover, type PopoverProps } from './Popover';
export { Qr } from './Qr';
export { RefusedButton } from './RefusedButton';
export { SearchField, type SearchFieldProps } from './SearchField';
export { Segmented, type SegmentedProps } from './Segmented';
export { Select, type SelectProps } from './Select';
export { Sheet, type SheetControl, type SheetProps, useFullSheet, useMapInSight, useSheet } from './Sheet';
export { Skeleton, SkeletonBar } from './Skeleton';
export { Spinner } from './Spinner';
export { type ChoiceCard, ChoiceCards, Steps } from './Steps';
export { Switch, type SwitchProps } from './Switch';
export { type SheetStop, sheetHeight } from './sheetStops';
export { type Column, Mono, Named, RowActions, type Sort, Sub, Table, type TableProps, Two } from './Table';
export { Badge, Tag } from './Tag';
export { TextField, type TextFieldProps } from './TextField';
export { announce, ToastRegion, toast } from './Toast';
export { ToggleChip } from './ToggleChip';
export { Tooltip } from './Tooltip';
export { useCopied } from './useCopied';
export { VirtualList, type VirtualListHandle, type VirtualListProps } from './VirtualList';
