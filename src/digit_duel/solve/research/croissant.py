"""Descriptions of Parquet files in Croissant, the dataset metadata format of MLCommons (JSON-LD)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"

# The context that the specification prescribes.
CONTEXT: dict[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name, its schema.org type and its meaning."""

    name: str
    kind: str  # sc:Text, sc:Integer, sc:Float or sc:Boolean
    meaning: str
    many: bool = False  # each row has a list of such values


@dataclass(frozen=True, slots=True)
class TableFile:
    """A Parquet file that holds a table."""

    name: str  # of the table; the file is NAME.parquet
    meaning: str
    columns: Sequence[Column]
    sha256: str
    size: int  # bytes


@dataclass(frozen=True, slots=True)
class About:
    """The metadata of a dataset as a whole."""

    name: str
    description: str
    version: str
    published: str  # a date
    license: str
    url: str
    creator: str
    cite_as: str


def croissant(about: About, tables: Sequence[TableFile]) -> dict[str, object]:
    """The description of a dataset, as a JSON object."""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": about.name,
        "description": about.description,
        "version": about.version,
        "datePublished": about.published,
        "license": about.license,
        "url": about.url,
        "creator": {"@type": "sc:Organization", "name": about.creator},
        "citeAs": about.cite_as,
        "distribution": [_file(table) for table in tables],
        "recordSet": [_records(table) for table in tables],
    }


def _file(table: TableFile) -> dict[str, object]:
    name = f"{table.name}.parquet"
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "description": table.meaning,
        "contentUrl": name,
        "contentSize": f"{table.size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": table.sha256,
    }


def _records(table: TableFile) -> dict[str, object]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.meaning,
        "field": [_field(table.name, column) for column in table.columns],
    }


def _field(table: str, column: Column) -> dict[str, object]:
    found: dict[str, object] = {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.meaning,
        "dataType": column.kind,
        "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": column.name}},
    }
    return found | {"repeated": True} if column.many else found
